#include "marginal/counted_table.h"

#include <utility>

#include "base/status.h"
#include "marginal/kernels/count.h"

namespace flaim {

absl::StatusOr<CountedTable> CountedTable::Create(std::shared_ptr<PrivateRows> rows, std::vector<Clique> cliques,
                                                  std::int64_t max_kept_cells, Parallel& parallel) {
  std::int64_t kept_cells = 0;
  bool fits = true;
  for (const Clique& clique : cliques) {
    ASSIGN_OR_RETURN(const std::int64_t count, CellCount(rows->domain(), clique));
    if (count > kMaxCountedCells) {
      return InvalidArgument("the marginal over {} has {} cells, too many to count. Leave it out of the workload",
                             CliqueName(rows->domain(), clique), count);
    }
    fits = fits && count <= max_kept_cells - kept_cells;
    if (fits) kept_cells += count;
  }
  std::shared_ptr<const CliqueCounts> kept;
  if (fits) {
    ASSIGN_OR_RETURN(CliqueCounts counts, rows->Count(cliques, parallel));
    kept = std::make_shared<const CliqueCounts>(std::move(counts));
  }
  return CountedTable(std::move(rows), std::move(cliques), std::move(kept));
}

CountedTable::CountedTable(std::shared_ptr<PrivateRows> rows, std::vector<Clique> cliques,
                           std::shared_ptr<const CliqueCounts> kept)
    : rows_(std::move(rows)), cliques_(std::move(cliques)), kept_(std::move(kept)) {}

absl::StatusOr<std::span<const std::int64_t>> CountedTable::Counts(std::size_t clique) {
  if (kept_ != nullptr) return (*kept_)[clique];
  last_.reset();
  Parallel alone(1);
  ASSIGN_OR_RETURN(CliqueCounts counts, rows_->Count(std::span(&cliques_[clique], 1), alone));
  last_ = std::make_shared<const CliqueCounts>(std::move(counts));
  return (*last_)[0];
}

}  // namespace flaim
