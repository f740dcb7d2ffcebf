#include "audit/trade_off.h"

#include <cmath>

#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

// The false negatives that go with these false positives for N(0, 1) against N(mu, 1).
double GaussianTradeOff(double mu, double false_positive) {
  const auto above = [](double x) { return 0.5 * std::erfc(x * M_SQRT1_2); };
  double low = -10;
  double high = 10;  // where N(0, 1) is told from N(mu, 1)
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (above(middle) > false_positive ? low : high) = middle;
  }
  return above(mu - low);
}

TEST(ClopperPearson, MeetsPublishedIntervals) {
  // Of 10 in 100 at 95 %, and the rule of three.
  const Interval tenth = ClopperPearson(10, 100, 0.025);
  EXPECT_NEAR(tenth.low, 0.0490, 1e-4);
  EXPECT_NEAR(tenth.high, 0.1762, 1e-4);
  EXPECT_EQ(ClopperPearson(0, 300, 0.05).low, 0);
  EXPECT_NEAR(ClopperPearson(0, 300, 0.05).high, 1 - std::pow(0.05, 1.0 / 300), 1e-9);
  EXPECT_EQ(ClopperPearson(50, 50, 0.05).high, 1);
}

TEST(Mu, OfErrorRatesIsTheDistanceOfTwoNormals) {
  for (const double mu : {0.0, 0.5, 1.0, 3.0}) {
    for (const double rate : {0.001, 0.1, 0.5, 0.9}) {
      EXPECT_NEAR(MuOf(ErrorRates{rate, GaussianTradeOff(mu, rate)}), mu, 1e-6);
    }
  }
  EXPECT_NEAR(GaussianTradeOff(2, 0.15865525), 0.15865525, 1e-6);
}

// zCDP of rho holds for N(0, 1) against N(mu, 1) with rho = mu^2 / 2, so its curve cannot be above that one.
TEST(TradeOff, OfRhoIsBelowTheGaussianOfThatPriceAndNotFar) {
  for (const double mu : {0.2, 1.0, 2.0}) {
    const TradeOff claimed = TradeOff::OfRho(Rho::RoundUp(mu * mu / 2));
    for (double rate = 0.001; rate < 1; rate += 0.01) {
      EXPECT_LE(claimed.LeastFalseNegative(rate), GaussianTradeOff(mu, rate) + 1e-9);
    }
    EXPECT_GT(claimed.LeastFalseNegative(0.05), GaussianTradeOff(1.6 * mu, 0.05));
  }
}

TEST(TradeOff, OfAScheduleIsTighterThanOfItsRhoAndBelowTheGaussian) {
  const GaussianMechanism counts{Rational(8, 1), 6};
  const TradeOff exact = TradeOff::OfSchedule({counts}).value();
  const TradeOff zcdp = TradeOff::OfRho(CostOf(counts));
  const double mu = std::sqrt(6.0 / 8);
  for (double rate = 0.01; rate < 1; rate += 0.01) {
    EXPECT_GE(exact.LeastFalseNegative(rate), zcdp.LeastFalseNegative(rate) - 0.01);
    EXPECT_NEAR(exact.LeastFalseNegative(rate), GaussianTradeOff(mu, rate), 0.02);
  }
}

TEST(TradeOff, AllowsWhatIsOnTheCurveAndNothingBelow) {
  const TradeOff pure({{std::log(3.0), 0}});
  EXPECT_TRUE(pure.Allows({0.25, 0.25}));
  EXPECT_FALSE(pure.Allows({0.24, 0.24}));
  EXPECT_TRUE(pure.Allows({0, 1}));
}

}  // namespace
}  // namespace flaim
