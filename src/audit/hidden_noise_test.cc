#include "audit/hidden_noise.h"

#include <cmath>
#include <map>

#include "audit/log_ratio.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

secagg::NoisePlan PlanFor(const Rational& sigma_squared, int contributors) {
  return secagg::NoisePlan::Make(sigma_squared, {.invited = contributors, .dropouts = 0, .colluders = 0}).value();
}

TEST(HiddenNoise, GivesAllValuesTogetherProbabilityOne) {
  for (const int contributors : {1, 2, 4}) {
    for (const Rational& sigma_squared : {Rational(2, 1), Rational(40, 1)}) {
      const HiddenNoise noise(PlanFor(sigma_squared, contributors), contributors);
      double sum = 0;
      for (std::int64_t released = -200; released <= 200; ++released) {
        sum += std::exp(noise.LogProbability(released, 3, 5));
      }
      EXPECT_NEAR(sum, 1, 1e-9);
    }
  }
}

TEST(HiddenNoise, OfOneContributorIsADiscreteGaussian) {
  const Rational sigma_squared(9, 1);
  const HiddenNoise noise(PlanFor(sigma_squared, 1), 1);
  for (std::int64_t released = -20; released <= 20; ++released) {
    const std::int64_t value[] = {released};
    const std::int64_t with[] = {5};
    const std::int64_t without[] = {4};
    EXPECT_NEAR(noise.LogProbability(released, 5, 0) - noise.LogProbability(released, 4, 0),
                LogRatioOfCounts(value, with, without, sigma_squared), 1e-9);
  }
}

// Drawn sums fall where they should: chi-squared over the common values, alpha 1e-6 by the bound of 80 for 30 values.
TEST(HiddenNoise, IsWhatContributorsDraw) {
  const secagg::NoisePlan plan = PlanFor(Rational(4, 1), 3);
  ASSERT_GT(plan.resolution(), 1);
  const HiddenNoise noise(plan, 2);
  SeededRandomSource random(7);
  constexpr int kDraws = 40'000;
  constexpr std::int64_t kTold = 3;
  std::map<std::int64_t, int> drawn;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::int64_t sum = kTold;
    for (int contributor = 0; contributor < 2; ++contributor) {
      std::int64_t share[] = {contributor == 0 ? 10 : 0};
      plan.AddShare(random, share);
      sum += share[0];
    }
    ++drawn[plan.ToCount(sum)];
  }
  double chi_squared = 0;
  for (const auto& [released, times] : drawn) {
    const double expected = kDraws * std::exp(noise.LogProbability(released, 10, kTold));
    if (expected > 5) chi_squared += std::pow(times - expected, 2) / expected;
  }
  EXPECT_LT(chi_squared, 80);
}

}  // namespace
}  // namespace flaim
