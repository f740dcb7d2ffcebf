#include "marginal/marginal.h"

#include <numeric>

#include "base/check.h"
#include "marginal/kernels/project.h"

namespace flaim {

Marginal::Marginal(const Domain& domain, Clique clique, std::vector<std::int64_t> counts)
    : clique_(std::move(clique)), counts_(std::move(counts)) {
  const absl::StatusOr<std::int64_t> cells = CellCount(domain, clique_);
  CHECK(cells.ok() && counts_.size() == static_cast<std::size_t>(*cells));
  for (const AttributeIndex attribute : clique_) sizes_.push_back(domain[attribute].size);
}

Marginal::Marginal(Clique clique, std::vector<std::int64_t> sizes, std::vector<std::int64_t> counts)
    : clique_(std::move(clique)), sizes_(std::move(sizes)), counts_(std::move(counts)) {}

std::int64_t Marginal::Total() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

Marginal Marginal::Project(const Clique& subset) const {
  CHECK(subset.IsSubsetOf(clique_));
  std::vector<bool> kept;
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    kept.push_back(subset.Contains(clique_.attributes()[i]));
    if (kept.back()) sizes.push_back(sizes_[i]);
  }
  return Marginal(subset, std::move(sizes), ProjectCounts(counts_, sizes_, kept));
}

}  // namespace flaim
