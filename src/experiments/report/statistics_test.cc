#include "experiments/report/statistics.h"

#include <cmath>
#include <numeric>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;

TEST(StudentQuantile, IsThatOfPrintedTables) {
  EXPECT_NEAR(StudentQuantile975(1), 12.7062, 1e-4);
  EXPECT_NEAR(StudentQuantile975(2), 4.30265, 1e-5);
  EXPECT_NEAR(StudentQuantile975(3), 3.18245, 1e-5);
  EXPECT_NEAR(StudentQuantile975(4), 2.77645, 1e-5);
  EXPECT_NEAR(StudentQuantile975(9), 2.26216, 1e-5);
  EXPECT_NEAR(StudentQuantile975(30), 2.04227, 1e-5);
  EXPECT_NEAR(StudentQuantile975(120), 1.97993, 1e-5);
}

TEST(StudentQuantile, FallsToThatOfTheNormalDistribution) {
  for (int degrees = 1; degrees < 200; ++degrees) {
    EXPECT_GT(StudentQuantile975(degrees), StudentQuantile975(degrees + 1));
  }
  EXPECT_NEAR(StudentQuantile975(1'000'000), 1.95996, 3e-4);
}

TEST(Summarise, GivesMeanStandardErrorAndInterval) {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  const std::optional<Summary> summary = Summarise(values);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->count, 8);
  EXPECT_DOUBLE_EQ(summary->mean, 5);
  EXPECT_NEAR(*summary->standard_error, std::sqrt(32.0 / 7 / 8), 1e-12);
  EXPECT_NEAR(*summary->HalfWidth(), 2.364624 * *summary->standard_error, 1e-5);
}

TEST(Summarise, HasNoErrorForOneValueAndNothingForNone) {
  EXPECT_FALSE(Summarise({}));
  const std::optional<Summary> summary = Summarise(std::vector<double>{3});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->mean, 3);
  EXPECT_FALSE(summary->standard_error);
  EXPECT_FALSE(summary->HalfWidth());
}

TEST(Summarise, MovesAndStretchesWithItsValues) {
  EXPECT_TRUE(rc::check([] {
    const auto whole = *rc::gen::container<std::vector<int>>(5, rc::gen::inRange(-1000, 1000));
    std::vector<double> values(whole.begin(), whole.end());
    const Summary before = *Summarise(values);
    for (double& value : values) value = 3 * value + 7;
    const Summary after = *Summarise(values);
    RC_ASSERT(std::abs(after.mean - (3 * before.mean + 7)) < 1e-9);
    RC_ASSERT(std::abs(*after.standard_error - 3 * *before.standard_error) < 1e-9);
  }));
}

TEST(RatioOf, CarriesRelativeErrorsOver) {
  const Summary above = {10, 30, 3.0};
  const Summary below = {8, 10, 0.5};
  const std::optional<Summary> ratio = RatioOf(above, below);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->count, 8);
  EXPECT_DOUBLE_EQ(ratio->mean, 3);
  EXPECT_NEAR(*ratio->standard_error / 3, std::hypot(0.1, 0.05), 1e-12);
  EXPECT_FALSE(RatioOf(above, {1, 0, 1.0}));
  EXPECT_FALSE(RatioOf({1, 2, std::nullopt}, below)->standard_error);
}

TEST(AverageRanks, ShareTheMeanOfTheirRanksWhenEqual) {
  EXPECT_THAT(AverageRanks(std::vector<double>{0.3, 0.1, 0.2}), ElementsAre(3, 1, 2));
  EXPECT_THAT(AverageRanks(std::vector<double>{5, 5, 1, 5}), ElementsAre(3, 3, 1, 3));
  EXPECT_THAT(AverageRanks(std::vector<double>{}), ElementsAre());
}

TEST(AverageRanks, AreHowManyAreSmallerPlusHalfOfTheEqual) {
  EXPECT_TRUE(rc::check([] {
    const auto whole = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6));
    const std::vector<double> values(whole.begin(), whole.end());
    const std::vector<double> ranks = AverageRanks(values);
    for (std::size_t index = 0; index < values.size(); ++index) {
      double expected = 0.5;
      for (const double other : values) expected += other < values[index] ? 1 : other == values[index] ? 0.5 : 0;
      RC_ASSERT(ranks[index] == expected);
    }
  }));
}

TEST(MedianOf, IsTheMiddleOrBetweenTheTwoMiddles) {
  EXPECT_EQ(MedianOf({3, 1, 2}), 2);
  EXPECT_EQ(MedianOf({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(MedianOf({7}), 7);
}

}  // namespace
}  // namespace flaim
