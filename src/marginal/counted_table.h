#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/clique.h"
#include "marginal/clique_counts.h"
#include "marginal/private_rows.h"

namespace flaim {

// The counts of a fixed list of cliques of one private table, for a method that looks at all of them in every round.
// Counted once and kept when they fit the memory given; otherwise counted anew each time they are asked for. A copy
// shares what is kept; two threads may use two copies of counts of rows in memory.
class CountedTable {
 public:
  // An error if one clique is too large to count at all.
  static absl::StatusOr<CountedTable> Create(std::shared_ptr<PrivateRows> rows, std::vector<Clique> cliques,
                                             std::int64_t max_kept_cells, Parallel& parallel);
  static absl::StatusOr<CountedTable> Create(const Table& table, std::vector<Clique> cliques,
                                             std::int64_t max_kept_cells, Parallel& parallel) {
    return Create(std::make_shared<TableRows>(table), std::move(cliques), max_kept_cells, parallel);
  }

  std::size_t size() const { return cliques_.size(); }
  bool IsKept() const { return kept_ != nullptr; }
  // Valid until the next call. An error if the rows cannot be asked, which those in memory always can.
  absl::StatusOr<std::span<const std::int64_t>> Counts(std::size_t clique);

 private:
  CountedTable(std::shared_ptr<PrivateRows> rows, std::vector<Clique> cliques,
               std::shared_ptr<const CliqueCounts> kept);

  std::shared_ptr<PrivateRows> rows_;
  std::vector<Clique> cliques_;
  std::shared_ptr<const CliqueCounts> kept_;  // if they fit
  std::shared_ptr<const CliqueCounts> last_;  // that was asked for, if they are not kept
};

}  // namespace flaim
