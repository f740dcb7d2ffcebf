#pragma once

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/clique.h"
#include "marginal/clique_counts.h"
#include "marginal/marginal.h"

namespace flaim {

// Rows are addressed by 32-bit indices; a larger marginal would take 32 GiB.
inline constexpr std::int64_t kMaxCountedCells = std::int64_t{1} << 32;

// How many rows of `table` fall into each cell of `clique`. Overwrites `out`, and costs one walk over the rows beside
// that. REQUIRES: out.size() is the number of cells, at most kMaxCountedCells.
void CountClique(const Table& table, const Clique& clique, std::span<std::int64_t> out);

// The same as a value; an error if the marginal is too large to count.
absl::StatusOr<Marginal> CountMarginal(const Table& table, const Clique& clique);

// The counts of many cliques, in the order given; repeats and the empty clique are fine. Walks over the rows fewer
// times than there are cliques (counting_plan.h), shares the index arithmetic of cliques with the same leading
// attributes, and divides the cliques, not the rows, among the threads, so that no two threads write to the same
// marginal. Cancelled when the team is asked to stop.
absl::StatusOr<CliqueCounts> CountCliques(const Table& table, std::span<const Clique> cliques, Parallel& parallel);

}  // namespace flaim
