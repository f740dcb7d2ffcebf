#include "marginal/kernels/project.h"

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// Cell by cell, through the digits of each cell's number.
std::vector<std::int64_t> BruteForceProjection(const std::vector<std::int64_t>& counts,
                                               const std::vector<std::int64_t>& sizes, const std::vector<bool>& kept) {
  std::size_t cells = 1;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis)
    cells *= kept[axis] ? static_cast<std::size_t>(sizes[axis]) : 1;
  std::vector<std::int64_t> sums(cells);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    std::size_t rest = cell;
    std::size_t target = 0;
    std::size_t stride = 1;
    for (std::size_t axis = sizes.size(); axis-- > 0;) {
      const auto size = static_cast<std::size_t>(sizes[axis]);
      if (kept[axis]) {
        target += rest % size * stride;
        stride *= size;
      }
      rest /= size;
    }
    sums[target] += counts[cell];
  }
  return sums;
}

TEST(ProjectCounts, AgreesWithBruteForce) {
  SeededRandomSource random(2);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::int64_t> sizes;
    std::vector<bool> kept;
    std::size_t cells = 1;
    for (std::uint64_t axes = random.NextBelow(6); axes > 0; --axes) {
      sizes.push_back(1 + static_cast<std::int64_t>(random.NextBelow(5)));
      kept.push_back(random.NextBelow(2) == 0);
      cells *= static_cast<std::size_t>(sizes.back());
    }
    std::vector<std::int64_t> counts(cells);
    for (std::int64_t& count : counts) count = static_cast<std::int64_t>(random.NextU64() >> 20);
    EXPECT_EQ(ProjectCounts(counts, sizes, kept), BruteForceProjection(counts, sizes, kept));
  }
}

TEST(SumOutAxis, SumsTheMiddleAxis) {
  const std::vector<std::int64_t> counts = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<std::int64_t> sums(4, -1);
  SumOutAxis(counts, 2, 2, sums);
  EXPECT_EQ(sums, (std::vector<std::int64_t>{4, 6, 12, 14}));
}

}  // namespace
}  // namespace flaim
