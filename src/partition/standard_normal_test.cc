#include "partition/standard_normal.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// The inequality of Dvoretzky, Kiefer, Wolfowitz and Massart: alpha = 1e-9.
TEST(DrawStandardNormal, HasTheNormalDistribution) {
  constexpr std::size_t kDraws = 100'000;
  SeededRandomSource random(1, "standard normal");
  std::vector<double> draws(kDraws);
  for (double& draw : draws) draw = DrawStandardNormal(random);
  std::sort(draws.begin(), draws.end());
  double farthest = 0;
  for (std::size_t rank = 0; rank < kDraws; ++rank) {
    const double below = 0.5 * std::erfc(-draws[rank] / std::numbers::sqrt2);
    farthest = std::max(farthest, std::abs(below - (static_cast<double>(rank) + 0.5) / kDraws));
  }
  EXPECT_LT(farthest, std::sqrt(std::log(2 / 1e-9) / (2.0 * kDraws)));
}

TEST(DrawPositiveUnit, IsAboveZeroAndAtMostOne) {
  SeededRandomSource random(1, "positive unit");
  double least = 1;
  for (int draw = 0; draw < 10'000; ++draw) {
    const double unit = DrawPositiveUnit(random);
    ASSERT_TRUE(unit > 0 && unit <= 1) << unit;
    least = std::min(least, unit);
  }
  EXPECT_LT(least, 0.01);
}

}  // namespace
}  // namespace flaim
