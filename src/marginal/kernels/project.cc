#include "marginal/kernels/project.h"

#include <algorithm>

#include "base/check.h"

namespace flaim {

void SumOutAxis(std::span<const std::int64_t> counts, std::int64_t size, std::int64_t inner,
                std::span<std::int64_t> out) {
  const auto row = static_cast<std::size_t>(inner);
  CHECK(row > 0 && out.size() % row == 0 && out.size() * static_cast<std::size_t>(size) == counts.size());
  const std::int64_t* next = counts.data();
  for (std::size_t begin = 0; begin < out.size(); begin += row) {
    std::int64_t* const sums = out.data() + begin;
    std::copy(next, next + row, sums);
    next += row;
    for (std::int64_t code = 1; code < size; ++code) {
      for (std::size_t i = 0; i < row; ++i) sums[i] += next[i];
      next += row;
    }
  }
}

std::vector<std::int64_t> ProjectCounts(std::span<const std::int64_t> counts, std::span<const std::int64_t> sizes,
                                        const std::vector<bool>& kept) {
  CHECK(kept.size() == sizes.size());
  std::vector<std::int64_t> held;
  std::span<const std::int64_t> current = counts;
  std::size_t inner = counts.size();
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const auto size = static_cast<std::size_t>(sizes[axis]);
    inner /= size;
    if (kept[axis]) continue;
    std::vector<std::int64_t> sums(current.size() / size);
    SumOutAxis(current, sizes[axis], static_cast<std::int64_t>(inner), sums);
    held = std::move(sums);
    current = held;
  }
  if (current.data() == counts.data()) held.assign(counts.begin(), counts.end());
  return held;
}

}  // namespace flaim
