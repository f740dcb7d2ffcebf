#include "experiments/report/figures/plot_axis.h"

#include <algorithm>
#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(ValueAxis, StartsAtZeroWhenThatIsNear) {
  const PlotAxis axis = MakeValueAxis({0.2, 0.83}, 8);
  EXPECT_THAT(axis.tick_texts, ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_DOUBLE_EQ(axis.PositionOf(0.5), 0.5);
}

TEST(ValueAxis, DoesNotStartAtZeroWhenThatIsFar) {
  const PlotAxis axis = MakeValueAxis({19.3, 29.3}, 8);
  EXPECT_THAT(axis.tick_texts, ElementsAre("18", "20", "22", "24", "26", "28", "30"));
}

TEST(ValueAxis, IsLogarithmicWhenValuesAreFarApart) {
  const PlotAxis axis = MakeValueAxis({28.9, 2587.5}, 8);
  EXPECT_TRUE(axis.is_logarithmic);
  EXPECT_THAT(axis.tick_texts, ElementsAre("50", "100", "200", "500", "1000", "2000"));
}

TEST(ValueAxis, HasRoomForASingleValue) {
  for (const double value : {0.0, 5.0, -5.0, 1e-7}) {
    const PlotAxis axis = MakeValueAxis({value, value}, 8);
    EXPECT_LT(axis.low, axis.high);
    EXPECT_GE(axis.PositionOf(value), 0);
    EXPECT_LE(axis.PositionOf(value), 1);
  }
}

TEST(ValueAxis, CoversItsRangeWithFewNiceTicks) {
  EXPECT_TRUE(rc::check([] {
    const double scale = std::pow(10, *rc::gen::inRange(-6, 7));
    const double lowest = *rc::gen::inRange(-1000, 1000) * scale;
    const double highest = lowest + *rc::gen::inRange(1, 1000) * scale;
    const PlotAxis axis = MakeValueAxis({lowest, highest}, 8);
    RC_ASSERT(axis.PositionOf(lowest) >= -1e-9);
    RC_ASSERT(axis.PositionOf(highest) <= 1 + 1e-9);
    RC_ASSERT(axis.ticks.size() >= 2U);
    RC_ASSERT(axis.ticks.size() <= 9U);
    RC_ASSERT(std::is_sorted(axis.ticks.begin(), axis.ticks.end()));
    RC_ASSERT(axis.ticks.size() == axis.tick_texts.size());
  }));
}

TEST(SettingAxis, HasTicksAtTheValuesThatLeaveRoom) {
  EXPECT_THAT(MakeSettingAxis({1, 2, 3, 5}, false).tick_texts, ElementsAre("1", "2", "3", "5"));
  EXPECT_THAT(MakeSettingAxis({0.01, 0.05, 0.5, 1}, false).tick_texts, ElementsAre("0.01", "0.5", "1"));
}

TEST(SettingAxis, SpreadsByLogarithmsWhenAsked) {
  const PlotAxis axis = MakeSettingAxis({4, 16, 64}, true);
  EXPECT_NEAR(axis.PositionOf(16), 0.5, 1e-9);
  EXPECT_FALSE(MakeSettingAxis({0, 1}, true).is_logarithmic);
  const PlotAxis single = MakeSettingAxis({8}, true);
  EXPECT_NEAR(single.PositionOf(8), 0.5, 1e-9);
}

TEST(SpreadApart, LeavesAloneWhatIsFarEnoughApart) {
  EXPECT_THAT(SpreadApart({10, 40, 25}, 10, {0, 100}), ElementsAre(10, 40, 25));
}

TEST(SpreadApart, MovesNeighboursAsLittleAsNeeded) {
  EXPECT_THAT(SpreadApart({50, 50}, 10, {0, 100}), ElementsAre(45, 55));
  EXPECT_THAT(SpreadApart({99, 100}, 10, {0, 100}), ElementsAre(90, 100));
  EXPECT_THAT(SpreadApart({0, 1, 2}, 10, {0, 100}), Pointwise(DoubleNear(1e-9), std::vector<double>{0, 10, 20}));
}

TEST(SpreadApart, KeepsOrderGapAndRange) {
  EXPECT_TRUE(rc::check([] {
    const auto whole = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100));
    RC_PRE(whole.size() <= 11U);
    const std::vector<double> positions(whole.begin(), whole.end());
    const std::vector<double> spread = SpreadApart(positions, 10, {0, 100});
    for (std::size_t a = 0; a < spread.size(); ++a) {
      RC_ASSERT(spread[a] >= -1e-9);
      RC_ASSERT(spread[a] <= 100 + 1e-9);
      for (std::size_t b = 0; b < a; ++b) {
        RC_ASSERT(std::abs(spread[a] - spread[b]) >= 10 - 1e-6);
        if (positions[a] < positions[b]) RC_ASSERT(spread[a] < spread[b]);
      }
    }
  }));
}

}  // namespace
}  // namespace flaim
