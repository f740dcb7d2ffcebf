#include "marginal/counted_table.h"

#include <utility>

#include "base/status.h"
#include "marginal/kernels/count.h"

namespace flaim {

absl::StatusOr<CountedTable> CountedTable::Create(const Table& table, std::vector<Clique> cliques,
                                                  std::int64_t max_kept_cells, Parallel& parallel) {
  std::vector<std::int64_t> cells;
  std::int64_t kept_cells = 0;
  bool fits = true;
  for (const Clique& clique : cliques) {
    ASSIGN_OR_RETURN(const std::int64_t count, CellCount(table.domain(), clique));
    if (count > kMaxCountedCells) {
      return InvalidArgument("the marginal over {} has {} cells, too many to count. Leave it out of the workload",
                             CliqueName(table.domain(), clique), count);
    }
    cells.push_back(count);
    fits = fits && count <= max_kept_cells - kept_cells;
    if (fits) kept_cells += count;
  }
  std::optional<CliqueCounts> kept;
  if (fits) {
    ASSIGN_OR_RETURN(kept, CountCliques(table, cliques, parallel));
  }
  return CountedTable(table, std::move(cliques), std::move(cells), std::move(kept));
}

CountedTable::CountedTable(const Table& table, std::vector<Clique> cliques, std::vector<std::int64_t> cells,
                           std::optional<CliqueCounts> kept)
    : table_(table), cliques_(std::move(cliques)), cells_(std::move(cells)), kept_(std::move(kept)) {}

std::span<const std::int64_t> CountedTable::Counts(std::size_t clique) {
  if (kept_.has_value()) return (*kept_)[clique];
  scratch_.resize(cells_[clique]);
  CountClique(table_, cliques_[clique], scratch_);
  return scratch_;
}

}  // namespace flaim
