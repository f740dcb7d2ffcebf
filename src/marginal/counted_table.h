#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table.h"
#include "marginal/clique.h"
#include "marginal/clique_counts.h"

namespace flaim {

// The counts of a fixed list of cliques of one private table, for a method that looks at all of them in every round.
// Counted once and kept when they fit the memory given; otherwise counted anew each time they are asked for.
class CountedTable {
 public:
  // An error if one clique is too large to count at all.
  static absl::StatusOr<CountedTable> Create(const Table& table, std::vector<Clique> cliques,
                                             std::int64_t max_kept_cells, Parallel& parallel);

  std::size_t size() const { return cliques_.size(); }
  // Valid until the next call.
  std::span<const std::int64_t> Counts(std::size_t clique);

 private:
  CountedTable(const Table& table, std::vector<Clique> cliques, std::vector<std::int64_t> cells,
               std::optional<CliqueCounts> kept);

  Table table_;
  std::vector<Clique> cliques_;
  std::vector<std::int64_t> cells_;
  std::optional<CliqueCounts> kept_;
  std::vector<std::int64_t> scratch_;
};

}  // namespace flaim
