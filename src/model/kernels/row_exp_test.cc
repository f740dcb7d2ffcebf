#include "model/kernels/row_exp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim::kernels {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

struct Block {
  std::int64_t rows;
  std::int64_t columns;
  std::vector<double> values;
};

// Of every small shape in turn, so that every tail of a vector occurs; some cells are -infinity, some rows wholly.
Block MakeBlock(std::uint64_t seed) {
  SeededRandomSource random(seed, "block");
  Block block{1 + static_cast<std::int64_t>(seed % 5), 1 + static_cast<std::int64_t>(seed / 5 % 37), {}};
  for (std::int64_t row = 0; row < block.rows; ++row) {
    const bool is_empty = random.NextBelow(8) == 0;
    for (std::int64_t i = 0; i < block.columns; ++i) {
      const double value = 600 * (random.NextUnit() - 0.5);
      block.values.push_back(is_empty || random.NextBelow(10) == 0 ? kMinusInfinity : value);
    }
  }
  return block;
}

TEST(RowKernels, AgreeWithPlainLoops) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Block block = MakeBlock(seed);
    std::vector<double> shifted = block.values;
    std::vector<double> row_max(block.rows);
    std::vector<double> row_sum(block.rows);
    std::vector<double> only_max(block.rows);
    ShiftedExpRows(shifted, block.columns, row_max, row_sum);
    MaxRows(block.values, block.columns, only_max);
    std::vector<double> dots(block.rows);
    DotRows(shifted, shifted, block.columns, dots);
    std::vector<double> scaled = shifted;
    ScaleRows(scaled, block.columns, row_sum);

    for (std::int64_t row = 0; row < block.rows; ++row) {
      const auto begin = block.values.begin() + row * block.columns;
      const double largest = *std::max_element(begin, begin + block.columns);
      ASSERT_EQ(row_max[row], largest);
      ASSERT_EQ(only_max[row], largest);
      double sum = 0;
      double dot = 0;
      for (std::int64_t i = row * block.columns; i < (row + 1) * block.columns; ++i) {
        const double expected = largest == kMinusInfinity ? 0 : std::exp(block.values[i] - largest);
        ASSERT_NEAR(shifted[i], expected, 1e-14) << "seed " << seed;
        ASSERT_EQ(scaled[i], shifted[i] * row_sum[row]);
        sum += expected;
        dot += expected * expected;
      }
      ASSERT_NEAR(row_sum[row], sum, 1e-12);
      ASSERT_NEAR(dots[row], dot, 1e-12);
    }
  }
}

TEST(RowKernels, LogIsTheInverseOfExpAndOfZeroIsMinusInfinity) {
  std::vector<double> values = {0, -1, -300, 2.5, kMinusInfinity, 7, -0.001};
  const std::vector<double> before = values;
  Exp(values);
  EXPECT_EQ(values[4], 0);
  Log(values);
  EXPECT_EQ(values[4], kMinusInfinity);
  for (const std::size_t i : {0, 1, 2, 3, 5, 6}) EXPECT_NEAR(values[i], before[i], 1e-12 * (1 + std::abs(before[i])));
}

}  // namespace
}  // namespace flaim::kernels
