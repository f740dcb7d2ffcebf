#include "privacy/accountants/zcdp_accountant.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "privacy/accountants/gaussian_accountant.h"

namespace flaim {
namespace {

double LogUniform(SeededRandomSource& random, double low, double high) {
  return low * std::pow(high / low, random.NextUnit());
}

PrivacyBudget RandomBudget(SeededRandomSource& random) {
  const double epsilon = LogUniform(random, 1e-3, 50);
  return *PrivacyBudget::Create(epsilon, LogUniform(random, 1e-12, 1e-2));
}

// Lemma A.2 as printed, minimised by brute force.
long double LemmaDelta(long double rho, long double epsilon) {
  const auto log_bound = [&](long double log_excess) {
    const long double excess = std::exp(log_excess);
    const long double alpha = 1 + excess;
    return excess * (alpha * rho - epsilon) - std::log(excess) + alpha * std::log(excess / alpha);
  };
  long double best = std::numeric_limits<long double>::infinity();
  long double at = 0;
  for (long double log_excess = -40; log_excess < 20; log_excess += 0.05L) {
    if (const long double value = log_bound(log_excess); value < best) best = value, at = log_excess;
  }
  for (long double step = 0.05L; step > 1e-9L; step /= 2) {
    for (const long double candidate : {at - step, at + step}) {
      if (const long double value = log_bound(candidate); value < best) best = value, at = candidate;
    }
  }
  return std::min(1.0L, std::exp(best));
}

TEST(ZcdpAccountant, AffordsTheGoldenAllowances) {
  EXPECT_NEAR(RhoFor(*PrivacyBudget::Create(1, 1e-5)).ToDouble(), 0.03056, 5e-6);
  EXPECT_NEAR(RhoFor(*PrivacyBudget::Create(1, 1e-6)).ToDouble(), 0.02436, 5e-6);
  EXPECT_NEAR(RhoFor(*PrivacyBudget::Create(1, 1e-7)).ToDouble(), 0.02019, 5e-6);
  EXPECT_NEAR(RhoFor(*PrivacyBudget::Create(1, 1e-9)).ToDouble(), 0.01497, 5e-6);
}

TEST(ZcdpAccountant, IsTheLemmaRoundedUp) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Rho rho = Rho::RoundUp(LogUniform(random, 1e-6, 20));
    const double epsilon = LogUniform(random, 1e-3, 50);
    const long double lemma = LemmaDelta(rho.ToDouble(), epsilon);
    if (lemma < 1e-300L) continue;
    const double delta = DeltaOf(rho, epsilon);
    EXPECT_GE(delta, lemma * (1 - 1e-16L)) << rho.ToDouble() << " " << epsilon;
    EXPECT_LE(delta, lemma * (1 + 1e-9L)) << rho.ToDouble() << " " << epsilon;
  }
}

TEST(ZcdpAccountant, NeverPromisesMoreThanTheAllowanceKeeps) {
  SeededRandomSource random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const PrivacyBudget budget = RandomBudget(random);
    const Rho allowance = RhoFor(budget);
    EXPECT_GT(allowance, Rho());
    EXPECT_LE(DeltaOf(allowance, budget.epsilon()), budget.delta());
  }
}

TEST(ZcdpAccountant, LeavesNothingOnTheTable) {
  SeededRandomSource random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const PrivacyBudget budget = RandomBudget(random);
    const Rho more = Rho::RoundUp(RhoFor(budget).ToDouble() * (1 + 1e-9)) + Rho::FromUnits(1);
    EXPECT_GT(DeltaOf(more, budget.epsilon()), budget.delta()) << budget.epsilon() << " " << budget.delta();
  }
}

TEST(ZcdpAccountant, IsNeverBelowTheAnalyticGaussianOfTheSameCost) {
  SeededRandomSource random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const double mu = LogUniform(random, 1e-3, 5);
    const double epsilon = LogUniform(random, 1e-3, 50);
    const double gaussian = DeltaOf(*Mu::Create(mu), epsilon);
    if (gaussian < 1e-290) continue;
    EXPECT_GE(DeltaOf(Rho::RoundUp(mu * mu / 2), epsilon), gaussian * (1 - 1e-9)) << mu << " " << epsilon;
  }
}

TEST(ZcdpAccountant, GrowsWithCostAndShrinksWithEpsilon) {
  for (double rho = 1e-4; rho < 5; rho *= 1.7) {
    for (double epsilon = 0.01; epsilon < 20; epsilon *= 1.7) {
      const double delta = DeltaOf(Rho::RoundUp(rho), epsilon);
      EXPECT_LE(delta, DeltaOf(Rho::RoundUp(rho * 1.01), epsilon));
      EXPECT_GE(delta, DeltaOf(Rho::RoundUp(rho), epsilon * 1.01));
    }
  }
}

TEST(ZcdpAccountant, FindsTheEpsilonThatBelongsToADelta) {
  SeededRandomSource random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const Rho rho = Rho::RoundUp(LogUniform(random, 1e-6, 20));
    const double delta = LogUniform(random, 1e-12, 1e-2);
    const double epsilon = EpsilonOf(rho, delta);
    EXPECT_LE(DeltaOf(rho, epsilon), delta);
    if (epsilon > 0) {
      EXPECT_GT(DeltaOf(rho, epsilon * (1 - 1e-9)), delta);
    }
  }
}

TEST(ZcdpAccountant, LetsTwoHalvesOfAnAllowanceBeSpentAsOne) {
  const PrivacyBudget budget = *PrivacyBudget::Create(1, 1e-6);
  const Rho allowance = RhoFor(budget);
  const Rho half = Rho::FromUnits(allowance.units() / 2);
  const Rho rest = allowance - half;
  EXPECT_LE(DeltaOf(half + rest, budget.epsilon()), budget.delta());
  EXPECT_NEAR(EpsilonOf(half + rest, budget.delta()), budget.epsilon(), 1e-9);
  EXPECT_LT(EpsilonOf(half, budget.delta()) + 0.1, budget.epsilon());
}

TEST(ZcdpAccountant, CostsNothingWhenNothingIsReleased) {
  EXPECT_EQ(DeltaOf(Rho(), 0), 0);
  EXPECT_EQ(EpsilonOf(Rho(), 1e-9), 0);
}

TEST(ZcdpAccountant, AnswersAtTheEdgesOfItsRange) {
  EXPECT_EQ(DeltaOf(Rho::FromUnits(std::int64_t{1} << 62), 0), 1);
  EXPECT_GT(DeltaOf(Rho::FromUnits(1), 50), 0);
  EXPECT_LT(DeltaOf(Rho::FromUnits(1), 50), 1e-300);
  EXPECT_GT(EpsilonOf(Rho::FromUnits(std::int64_t{1} << 62), 1e-9), 4096);
}

}  // namespace
}  // namespace flaim
