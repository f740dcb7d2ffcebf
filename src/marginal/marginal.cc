#include "marginal/marginal.h"

#include <utility>

#include "base/check.h"

namespace flaim {

Marginal::Marginal(const Domain& domain, Clique clique, std::vector<std::int64_t> counts)
    : clique_(std::move(clique)), counts_(std::move(counts)) {
  const absl::StatusOr<std::int64_t> cells = CellCount(domain, clique_);
  CHECK(cells.ok() && counts_.size() == static_cast<std::size_t>(*cells));
  for (const AttributeIndex attribute : clique_) sizes_.push_back(domain[attribute].size);
}

}  // namespace flaim
