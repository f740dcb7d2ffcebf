#include "marginal/score.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using Counts = std::vector<std::int64_t>;
using Expected = std::vector<double>;

TEST(Distance, IsTheL1DistanceInUnits) {
  const Counts counts = {3, 0, 10};
  const Expected expected = {1.5, 0.25, 12};
  EXPECT_EQ(Distance({counts, expected}).value().units, 2520 * 3 / 2 + 630 + 2 * 2520);
}

TEST(Distance, RoundsTheModelToWholeUnits) {
  const Counts counts = {0, 0, 0};
  const Expected expected = {0.4 / 2520, 0.6 / 2520, -0.6 / 2520};
  EXPECT_EQ(Distance({counts, expected}).value().units, 2);
}

TEST(Distance, IsWithinHalfAUnitPerCellOfTheRealDistance) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 200; ++trial) {
    Counts counts(random.NextBelow(50));
    Expected expected(counts.size());
    double distance = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] = static_cast<std::int64_t>(random.NextBelow(1000));
      expected[i] = random.NextUnit() * 1000 - 10;
      distance += std::abs(static_cast<double>(counts[i]) - expected[i]);
    }
    EXPECT_NEAR(static_cast<double>(Distance({counts, expected}).value().units), distance * 2520,
                0.5 * static_cast<double>(counts.size()) + 1e-6);
  }
}

TEST(Distance, RefusesWhatIsNotFiniteOrTooLarge) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(), 1e18, -1e18}) {
    const Counts counts = {1, 2};
    const Expected expected = {1, bad};
    EXPECT_FALSE(Distance({counts, expected}).ok()) << bad;
  }
}

// An error there would tell whether some cell has more rows than the limit.
TEST(Distance, CountsWhatIsTooLargeAsTheMostThatFits) {
  const Expected zeros = {0, 0};
  EXPECT_EQ(Distance({Counts{std::int64_t{1} << 40, 0}, zeros}).value().units, (std::int64_t{1} << 40) * 2520);
  const std::int64_t most = Distance({Counts{0, std::numeric_limits<std::int64_t>::max()}, zeros}).value().units;
  EXPECT_GT(most, std::int64_t{1} << 59);
  EXPECT_EQ(Distance({Counts{0, std::int64_t{1} << 60}, zeros}).value().units, most);
  EXPECT_EQ(Distance({Counts{std::int64_t{1} << 60, std::int64_t{1} << 61}, zeros}).value().units, 2 * most);
  EXPECT_EQ(Distance({Counts{0, -1}, zeros}).value().units, 0);
  EXPECT_EQ(Distance({Counts{0, std::numeric_limits<std::int64_t>::min()}, zeros}).value().units, 0);
}

// Below the limit, at it and above.
TEST(Distance, IsMovedByARecordByNoMoreThanOneRecordWhereverItIsClamped) {
  const Expected expected = {3.7, 1e9};
  const std::int64_t limit =
      Distance({Counts{std::numeric_limits<std::int64_t>::max(), 0}, Expected{0, 0}})->units / kScoreScale;
  for (const std::int64_t base : {std::int64_t{0}, std::int64_t{1000}, limit - 3, limit - 1, limit, limit + 5}) {
    for (std::size_t cell = 0; cell < 2; ++cell) {
      Counts counts = {base, base};
      const std::int64_t before = Distance({counts, expected})->units;
      ++counts[cell];
      EXPECT_LE(std::abs(Distance({counts, expected})->units - before), kScoreScale) << base;
    }
  }
}

TEST(ScoreScale, IsDivisibleByEveryCliqueSize) {
  for (int size = 1; size <= kMaxScoredAttributes; ++size) EXPECT_EQ(kScoreScale % size, 0) << size;
}

TEST(Score, SubtractsPenaltyAndHeterogeneityAndMultipliesByTheWeight) {
  EXPECT_EQ(Score({3, 0.5}, ScaledDistance{10000}).value(), 3 * (10000 - 1260));
  EXPECT_EQ(Score({3, 10}, ScaledDistance{100}).value(), 3 * (100 - 25200));
  EXPECT_EQ(AugmentedScore({3, 0.5}, ScaledDistance{10000}, ScaledDistance{700}).value(), 3 * (10000 - 1260 - 700));
}

// An error there would tell which side of a threshold the rows are on.
TEST(Score, CountsAsTheMostThatFitsIntoSixtyFourBitsBeyondThat) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const ScaledDistance large{std::int64_t{1} << 62};
  EXPECT_EQ(Score({1, 0}, large).value(), std::int64_t{1} << 62);
  EXPECT_EQ(Score({2, 0}, large).value(), kMost);
  EXPECT_EQ(Score({2, 0}, ScaledDistance{large.units - 1}).value(), kMost - 1);
  EXPECT_EQ(Score({1, -1e15}, ScaledDistance{kMost}).value(), kMost);
  EXPECT_EQ(AugmentedScore({4, 0}, ScaledDistance{0}, large).value(), -kMost);
}

TEST(Score, RefusesPenaltiesThatAreNotFinite) {
  EXPECT_FALSE(Score({1, std::numeric_limits<double>::quiet_NaN()}, ScaledDistance{0}).ok());
  EXPECT_FALSE(Score({1, std::numeric_limits<double>::infinity()}, ScaledDistance{0}).ok());
}

}  // namespace
}  // namespace flaim
