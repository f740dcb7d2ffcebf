#include "marginal/sensitivity.h"

#include <limits>

#include "gtest/gtest.h"
#include "marginal/score.h"

namespace flaim {
namespace {

using Weights = std::vector<std::int64_t>;

TEST(ScoreSensitivity, IsTheScaleTimesTheLargestWeight) {
  EXPECT_EQ(ScoreSensitivity(Weights{2, 7, 3}).value(), 7 * kScoreScale);
  EXPECT_EQ(AugmentedScoreSensitivity(Weights{2, 7, 3}).value(), 14 * kScoreScale);
}

TEST(ScoreSensitivity, RefusesWeightsThatCannotBe) {
  EXPECT_FALSE(ScoreSensitivity(Weights{}).ok());
  EXPECT_FALSE(ScoreSensitivity(Weights{1, 0}).ok());
  EXPECT_FALSE(AugmentedScoreSensitivity(Weights{-1}).ok());
  EXPECT_FALSE(AugmentedScoreSensitivity(Weights{std::numeric_limits<std::int64_t>::max() / kScoreScale}).ok());
}

TEST(CountsSensitivitySquared, IsTheNumberOfMarginals) {
  EXPECT_EQ(CountsSensitivitySquared(0), 0);
  EXPECT_EQ(CountsSensitivitySquared(14), 14);
}

}  // namespace
}  // namespace flaim
