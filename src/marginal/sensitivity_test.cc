#include "marginal/sensitivity.h"

#include <limits>

#include "gtest/gtest.h"
#include "marginal/public_shares.h"
#include "marginal/score.h"

namespace flaim {
namespace {

using Weights = std::vector<std::int64_t>;

TEST(ScoreSensitivity, IsTheScaleTimesTheLargestWeight) {
  EXPECT_EQ(ScoreSensitivity(Weights{2, 7, 3}).value(), 7 * kScoreScale);
  EXPECT_EQ(ShareScoreSensitivity(Weights{2, 7, 3}).value(), 2 * 7 * kScoreScale);
  EXPECT_EQ(AugmentedShareScoreSensitivity(Weights{2, 7, 3}).value(), 4 * 7 * kScoreScale);
}

TEST(ScoreSensitivity, RefusesWeightsThatCannotBe) {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max() / kScoreScale;
  EXPECT_FALSE(ScoreSensitivity(Weights{}).ok());
  EXPECT_FALSE(ScoreSensitivity(Weights{1, 0}).ok());
  EXPECT_FALSE(ShareScoreSensitivity(Weights{-1}).ok());
  EXPECT_FALSE(AugmentedShareScoreSensitivity(Weights{-1}).ok());
  EXPECT_TRUE(ScoreSensitivity(Weights{largest}).ok());
  EXPECT_FALSE(ShareScoreSensitivity(Weights{largest}).ok());
  EXPECT_TRUE(ShareScoreSensitivity(Weights{largest / 2}).ok());
  EXPECT_FALSE(AugmentedShareScoreSensitivity(Weights{largest / 2}).ok());
}

TEST(CountsSensitivitySquared, IsTheNumberOfMarginals) {
  EXPECT_EQ(CountsSensitivitySquared(0), 0);
  EXPECT_EQ(CountsSensitivitySquared(14), 14);
}

TEST(SummedScoresSensitivitySquared, IsTwoRecordsForEachCandidate) {
  EXPECT_EQ(SummedScoresSensitivitySquared(0), 0);
  EXPECT_EQ(SummedScoresSensitivitySquared(1), (2 * kSummedScoreScale) * (2 * kSummedScoreScale));
  EXPECT_EQ(SummedScoresSensitivitySquared(91), 91 * 32 * 32);
}

}  // namespace
}  // namespace flaim
