#include "marginal/kernels/naive_count.h"

#include <variant>

namespace flaim {

std::vector<std::int64_t> NaiveCountClique(const Table& table, const Clique& clique) {
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

std::vector<std::vector<std::int64_t>> NaiveCountCliques(const Table& table, std::span<const Clique> cliques) {
  std::vector<std::vector<std::int64_t>> counts;
  counts.reserve(cliques.size());
  for (const Clique& clique : cliques) counts.push_back(NaiveCountClique(table, clique));
  return counts;
}

}  // namespace flaim
