#pragma once

#include <cstdint>
#include <cstdlib>
#include <variant>
#include <vector>

#include "data/table/table.h"
#include "marginal/clique.h"
#include "marginal/kernels/count.h"
#include "marginal/public_shares.h"

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

// The distance by its definition, cell by cell.
inline ShareDistance NaiveShareDistance(const Table& rows, const Clique& clique, const PublicShares& shares) {
  std::vector<std::int64_t> counts(shares.units().size());
  CountClique(rows, clique, counts);
  const auto size = static_cast<std::int64_t>(rows.rows());
  ShareDistance distance;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    distance.units += std::abs(counts[cell] * PublicShares::kUnit - size * shares.units()[cell]);
  }
  return distance;
}

}  // namespace flaim
