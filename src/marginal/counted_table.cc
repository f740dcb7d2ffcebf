#include "marginal/counted_table.h"

#include <utility>

#include "base/status.h"
#include "marginal/kernels/count.h"

namespace flaim {

absl::StatusOr<CountedTable> CountedTable::Create(std::shared_ptr<CountSource> source, std::vector<Clique> cliques,
                                                  std::int64_t max_kept_cells, Parallel& parallel) {
  std::vector<std::int64_t> cells;
  std::int64_t kept_cells = 0;
  bool fits = true;
  for (const Clique& clique : cliques) {
    ASSIGN_OR_RETURN(const std::int64_t count, CellCount(source->domain(), clique));
    if (count > kMaxCountedCells) {
      return InvalidArgument("the marginal over {} has {} cells, too many to count. Leave it out of the workload",
                             CliqueName(source->domain(), clique), count);
    }
    cells.push_back(count);
    fits = fits && count <= max_kept_cells - kept_cells;
    if (fits) kept_cells += count;
  }
  std::optional<CliqueCounts> kept;
  if (fits) {
    ASSIGN_OR_RETURN(kept, source->Count(cliques, parallel));
  }
  return CountedTable(std::move(source), std::move(cliques), std::move(cells), std::move(kept));
}

CountedTable::CountedTable(std::shared_ptr<CountSource> source, std::vector<Clique> cliques,
                           std::vector<std::int64_t> cells, std::optional<CliqueCounts> kept)
    : source_(std::move(source)), cliques_(std::move(cliques)), cells_(std::move(cells)), kept_(std::move(kept)) {}

absl::StatusOr<std::span<const std::int64_t>> CountedTable::Counts(std::size_t clique) {
  if (kept_.has_value()) return (*kept_)[clique];
  scratch_.resize(cells_[clique]);
  RETURN_IF_ERROR(source_->CountOne(cliques_[clique], scratch_));
  return scratch_;
}

}  // namespace flaim
