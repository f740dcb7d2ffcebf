#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/table/table.h"
#include "marginal/clique.h"

namespace flaim {

// The counts of one clique, written plainly: the mixed-radix index of every row, then one addition for each row. What
// the kernels of count.h are tested and measured against. REQUIRES: the cells fit into memory.
std::vector<std::int64_t> NaiveCountClique(const Table& table, const Clique& clique);

std::vector<std::vector<std::int64_t>> NaiveCountCliques(const Table& table, std::span<const Clique> cliques);

}  // namespace flaim
