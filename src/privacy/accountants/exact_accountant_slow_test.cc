#include <gtest/gtest.h>

#include <cmath>

#include "base/seeded_random_source.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

double LogUniform(SeededRandomSource& random, double low, double high) {
  return low * std::pow(high / low, random.NextUnit());
}

TEST(ExactAccountantSlow, IsBelowZcdpForMixedSchedules) {
  SeededRandomSource random(2);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<Step> steps;
    Rho cost;
    const std::size_t count = 1 + random.NextBelow(12);
    for (std::size_t index = 0; index < count; ++index) {
      Mechanism mechanism = ExponentialMechanism{*Rational::RoundDown(LogUniform(random, 0.02, 0.5))};
      if (random.NextBelow(2) == 0) {
        const auto counts = static_cast<std::int64_t>(1 + random.NextBelow(5));
        mechanism = GaussianMechanism{*Rational::RoundUp(LogUniform(random, 4, 3600)), counts};
      }
      cost = cost + CostOf(mechanism);
      std::visit([&](const auto& kind) { steps.emplace_back(kind); }, mechanism);
    }
    const double epsilon = EpsilonOf(cost, LogUniform(random, 1e-9, 1e-3));
    const double zcdp = DeltaOf(cost, epsilon);
    EXPECT_LE(*ExactDelta(steps, epsilon), zcdp) << count << " " << epsilon;
    EXPECT_LE(*BestDelta(steps, epsilon), zcdp) << count << " " << epsilon;
  }
}

TEST(ExactAccountantSlow, CalibratesEveryPromiseItIsGiven) {
  SeededRandomSource random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const double epsilon = LogUniform(random, 0.05, 10);
    const PrivacyBudget budget = *PrivacyBudget::Create(epsilon, LogUniform(random, 1e-10, 1e-3));
    std::vector<Step> steps;
    for (int round = 0; round < 5; ++round) {
      steps.emplace_back(ExponentialMechanism{*Rational::RoundDown(LogUniform(random, 0.05, 0.2))});
      steps.emplace_back(GaussianMechanism{*Rational::RoundUp(LogUniform(random, 50, 500)), 3});
    }
    const auto scale = CalibrateNoise(steps, budget);
    ASSERT_TRUE(scale.ok()) << scale.status();
    EXPECT_LE(*BestDelta(*ScaleNoise(steps, *scale), epsilon), budget.delta()) << epsilon << " " << budget.delta();
  }
}

}  // namespace
}  // namespace flaim
