#include "marginal/clique.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "base/status.h"

namespace flaim {

Clique::Clique(std::vector<AttributeIndex> attributes) : attributes_(std::move(attributes)) {
  std::sort(attributes_.begin(), attributes_.end());
  attributes_.erase(std::unique(attributes_.begin(), attributes_.end()), attributes_.end());
  CHECK(attributes_.empty() || attributes_.front() >= 0);
}

bool Clique::Contains(AttributeIndex attribute) const { return std::binary_search(begin(), end(), attribute); }

bool Clique::IsSubsetOf(const Clique& other) const { return std::includes(other.begin(), other.end(), begin(), end()); }

Clique Clique::Intersect(const Clique& other) const {
  Clique result;
  std::set_intersection(begin(), end(), other.begin(), other.end(), std::back_inserter(result.attributes_));
  return result;
}

Clique Clique::Union(const Clique& other) const {
  Clique result;
  std::set_union(begin(), end(), other.begin(), other.end(), std::back_inserter(result.attributes_));
  return result;
}

absl::StatusOr<std::int64_t> CellCount(const Domain& domain, const Clique& clique) {
  std::int64_t cells = 1;
  for (const AttributeIndex attribute : clique) {
    CHECK(attribute < domain.size());
    if (__builtin_mul_overflow(cells, domain[attribute].size, &cells) || cells > std::int64_t{1} << 62) {
      return ResourceExhausted("the marginal over {} has more than 2^62 cells", CliqueName(domain, clique));
    }
  }
  return cells;
}

std::string CliqueName(const Domain& domain, const Clique& clique) {
  std::string name;
  for (const AttributeIndex attribute : clique) {
    if (!name.empty()) name += ',';
    name += domain[attribute].name;
  }
  return name;
}

}  // namespace flaim
