#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/clique.h"
#include "marginal/clique_counts.h"
#include "marginal/count_source.h"

namespace flaim {

// The counts of a fixed list of cliques of one private table, for a method that looks at all of them in every round.
// Counted once and kept when they fit the memory given; otherwise counted anew each time they are asked for.
class CountedTable {
 public:
  // An error if one clique is too large to count at all.
  static absl::StatusOr<CountedTable> Create(std::shared_ptr<CountSource> source, std::vector<Clique> cliques,
                                             std::int64_t max_kept_cells, Parallel& parallel);
  static absl::StatusOr<CountedTable> Create(const Table& table, std::vector<Clique> cliques,
                                             std::int64_t max_kept_cells, Parallel& parallel) {
    return Create(std::make_shared<TableSource>(table), std::move(cliques), max_kept_cells, parallel);
  }

  std::size_t size() const { return cliques_.size(); }
  // Valid until the next call. An error if the source fails, which a table in memory never does.
  absl::StatusOr<std::span<const std::int64_t>> Counts(std::size_t clique);

 private:
  CountedTable(std::shared_ptr<CountSource> source, std::vector<Clique> cliques, std::vector<std::int64_t> cells,
               std::optional<CliqueCounts> kept);

  std::shared_ptr<CountSource> source_;
  std::vector<Clique> cliques_;
  std::vector<std::int64_t> cells_;
  std::optional<CliqueCounts> kept_;
  std::vector<std::int64_t> scratch_;
};

}  // namespace flaim
