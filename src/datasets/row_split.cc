#include "datasets/row_split.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace flaim {

std::size_t TestRows(std::size_t used) { return (used + 5) / 10; }

std::vector<std::uint32_t> DrawSplit(std::size_t rows, std::size_t used, RandomSource& random) {
  CHECK(used <= rows && rows <= std::numeric_limits<std::uint32_t>::max());
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::uint32_t> use_of_row(rows, static_cast<std::uint32_t>(RowUse::kUnused));
  for (std::size_t i = 0; i < used; ++i) {
    std::swap(order[i], order[i + random.NextBelow(rows - i)]);
    use_of_row[order[i]] = static_cast<std::uint32_t>(i < TestRows(used) ? RowUse::kTest : RowUse::kTrain);
  }
  return use_of_row;
}

}  // namespace flaim
