#include "datasets/row_split.h"

#include <algorithm>
#include <cmath>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

std::size_t CountOf(const std::vector<std::uint32_t>& uses, RowUse use) {
  return static_cast<std::size_t>(std::count(uses.begin(), uses.end(), static_cast<std::uint32_t>(use)));
}

TEST(RowSplit, DealsEachRowOnceInTheSizesAskedFor) {
  SeededRandomSource shapes(1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t rows = shapes.NextBelow(300);
    const std::size_t used = shapes.NextBelow(rows + 1);
    SeededRandomSource random(seed);
    const std::vector<std::uint32_t> uses = DrawSplit(rows, used, random);
    ASSERT_EQ(uses.size(), rows);
    EXPECT_EQ(CountOf(uses, RowUse::kTest), TestRows(used));
    EXPECT_EQ(CountOf(uses, RowUse::kTrain), used - TestRows(used));
    EXPECT_EQ(CountOf(uses, RowUse::kUnused), rows - used);
  }
}

TEST(RowSplit, SetsATenthApartToTheNearest) {
  EXPECT_EQ(TestRows(48'842), 4'884);
  EXPECT_EQ(TestRows(19'020), 1'902);
  EXPECT_EQ(TestRows(5), 1);
  EXPECT_EQ(TestRows(4), 0);
}

TEST(RowSplit, RepeatsItselfForASeedAndNotForAnother) {
  SeededRandomSource first(7);
  SeededRandomSource again(7);
  SeededRandomSource other(8);
  const std::vector<std::uint32_t> split = DrawSplit(1'000, 400, first);
  EXPECT_EQ(split, DrawSplit(1'000, 400, again));
  EXPECT_NE(split, DrawSplit(1'000, 400, other));
}

// Each use of each row is a coin of known probability. Over 20,000 splits a count is within 6.5 standard deviations of
// its mean with probability 1 - 8e-11 (normal approximation); with 20 rows and two uses, alpha = 4e-9.
TEST(RowSplit, TakesEveryRowEquallyOften) {
  constexpr int kSplits = 20'000;
  constexpr std::size_t kRows = 20;
  constexpr std::size_t kUsed = 10;
  std::vector<int> tested(kRows);
  std::vector<int> used(kRows);
  SeededRandomSource random(3);
  for (int split = 0; split < kSplits; ++split) {
    const std::vector<std::uint32_t> uses = DrawSplit(kRows, kUsed, random);
    for (std::size_t row = 0; row < kRows; ++row) {
      tested[row] += uses[row] == static_cast<std::uint32_t>(RowUse::kTest);
      used[row] += uses[row] != static_cast<std::uint32_t>(RowUse::kUnused);
    }
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    EXPECT_NEAR(used[row], kSplits * 0.5, 6.5 * std::sqrt(kSplits * 0.25));
    EXPECT_NEAR(tested[row], kSplits * 0.05, 6.5 * std::sqrt(kSplits * 0.05 * 0.95));
  }
}

}  // namespace
}  // namespace flaim
