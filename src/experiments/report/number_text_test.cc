#include "experiments/report/number_text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(NumberText, HasTheDigitsAskedForAndATrueMinus) {
  EXPECT_EQ(NumberText(0.43217), "0.432");
  EXPECT_EQ(NumberText(-0.43217, 2), "−0.43");
  EXPECT_EQ(NumberText(1234.56), "1235");
  EXPECT_EQ(NumberText(100), "100");
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(0.00001234), "1.23e−05");
}

TEST(PlainText, WritesSettingsAsPeopleDo) {
  EXPECT_EQ(PlainText(0.1), "0.1");
  EXPECT_EQ(PlainText(10), "10");
  EXPECT_EQ(PlainText(2587.5), "2587.5");
  EXPECT_EQ(PlainText(1e-5), "1e−05");
}

TEST(MeanText, HasAsManyDecimalsAsItsErrorIsKnownTo) {
  EXPECT_EQ(MeanText({10, 0.43124, 0.0041}), "0.431 ± 0.004");
  EXPECT_EQ(MeanText({10, 21.7412, 0.0713}), "21.74 ± 0.07");
  EXPECT_EQ(MeanText({10, 2587.4, 812.0}), "2587 ± 812");
  EXPECT_EQ(MeanText({10, -1.234, 0.15}), "−1.23 ± 0.15");
  EXPECT_EQ(MeanText({1, 0.43124, std::nullopt}), "0.431");
}

TEST(MeanText, NeverSaysThatAnErrorIsZeroWhenItIsNot) {
  EXPECT_EQ(MeanText({10, 0.43124, 0.00041}), "0.4312 ± 0.0004");
  EXPECT_EQ(MeanText({10, 0.43124, 0.0000041}), "0.4312 ± 4e−06");
  EXPECT_EQ(MeanText({10, 4, 0.0}), "4.00 ± 0");
}

TEST(DifferenceText, IsInPercentOfTheReference) {
  EXPECT_EQ(DifferenceText(0.44, 0.40), "+10 %");
  EXPECT_EQ(DifferenceText(0.39, 0.40), "−2.5 %");
  EXPECT_EQ(DifferenceText(0.4, 0.4), "±0 %");
  EXPECT_EQ(DifferenceText(1, 0), "");
}

TEST(IntervalText, SaysHowManyRunsThereWere) {
  EXPECT_EQ(IntervalText({3, 0.5, 0.1}), "0.50000, 95 % interval 0.06973 to 0.9303 over 3 runs");
  EXPECT_EQ(IntervalText({1, 0.5, std::nullopt}), "0.50000, 1 run: no interval");
}

TEST(DurationText, GrowsWithItsUnits) {
  EXPECT_EQ(DurationText(1.25), "1.2 s");
  EXPECT_EQ(DurationText(38.2), "38 s");
  EXPECT_EQ(DurationText(185), "3 min 5 s");
  EXPECT_EQ(DurationText(7500), "2 h 5 min");
}

}  // namespace
}  // namespace flaim
