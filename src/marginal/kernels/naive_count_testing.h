#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "data/table/table.h"
#include "marginal/clique.h"

// For tests and benchmarks only.
namespace flaim {

// The counts of one clique, written plainly: the mixed-radix index of every row, then one addition for each row. What
// the kernels of count.h are tested and measured against. REQUIRES: the cells fit into memory.
inline std::vector<std::int64_t> NaiveCountClique(const Table& table, const Clique& clique) {
  std::vector<std::int64_t> index(table.rows());
  std::int64_t cells = 1;
  for (const AttributeIndex attribute : clique) {
    const std::int64_t size = table.domain()[attribute].size;
    std::visit(
        [&](auto codes) {
          for (std::size_t row = 0; row < codes.size(); ++row) index[row] = index[row] * size + codes[row];
        },
        table.column(attribute));
    cells *= size;
  }
  std::vector<std::int64_t> counts(static_cast<std::size_t>(cells));
  for (const std::int64_t cell : index) ++counts[static_cast<std::size_t>(cell)];
  return counts;
}

}  // namespace flaim
