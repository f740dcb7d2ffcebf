#include "privacy/accountants/gaussian_accountant.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/seeded_random_source.h"

namespace flaim {
namespace {

// Balle and Wang's formula in 300-bit arithmetic.
double AnalyticDelta(double mu, double epsilon) {
  mpfr_t distance, half, root, likely, unlikely;
  mpfr_inits2(300, distance, half, root, likely, unlikely, nullptr);
  mpfr_set_d(half, mu, MPFR_RNDN);
  mpfr_set_d(distance, epsilon, MPFR_RNDN);
  mpfr_div(distance, distance, half, MPFR_RNDN);
  mpfr_div_ui(half, half, 2, MPFR_RNDN);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_sub(likely, distance, half, MPFR_RNDN);
  mpfr_div(likely, likely, root, MPFR_RNDN);
  mpfr_erfc(likely, likely, MPFR_RNDN);
  mpfr_add(unlikely, distance, half, MPFR_RNDN);
  mpfr_div(unlikely, unlikely, root, MPFR_RNDN);
  mpfr_erfc(unlikely, unlikely, MPFR_RNDN);
  mpfr_set_d(half, epsilon, MPFR_RNDN);
  mpfr_exp(half, half, MPFR_RNDN);
  mpfr_mul(unlikely, unlikely, half, MPFR_RNDN);
  mpfr_sub(likely, likely, unlikely, MPFR_RNDN);
  mpfr_div_ui(likely, likely, 2, MPFR_RNDN);
  const double delta = mpfr_get_d(likely, MPFR_RNDU);
  mpfr_clears(distance, half, root, likely, unlikely, nullptr);
  return delta;
}

double LogUniform(SeededRandomSource& random, double low, double high) {
  return low * std::pow(high / low, random.NextUnit());
}

TEST(GaussianAccountant, AffordsTheGoldenMus) {
  EXPECT_NEAR(MuFor(*PrivacyBudget::Create(1, 1e-5)).value(), 0.2681, 5e-5);
  EXPECT_NEAR(MuFor(*PrivacyBudget::Create(1, 1e-6)).value(), 0.2367, 5e-5);
  EXPECT_NEAR(MuFor(*PrivacyBudget::Create(1, 1e-7)).value(), 0.2137, 5e-5);
  EXPECT_NEAR(MuFor(*PrivacyBudget::Create(1, 1e-9)).value(), 0.1820, 5e-5);
}

TEST(GaussianAccountant, SavesTheGoldenSharesOfNoise) {
  EXPECT_NEAR(SigmaShareOfZcdp(*PrivacyBudget::Create(1, 1e-5)), 0.922, 5e-4);
  EXPECT_NEAR(SigmaShareOfZcdp(*PrivacyBudget::Create(1, 1e-6)), 0.932, 5e-4);
  EXPECT_NEAR(SigmaShareOfZcdp(*PrivacyBudget::Create(1, 1e-7)), 0.940, 5e-4);
  EXPECT_NEAR(SigmaShareOfZcdp(*PrivacyBudget::Create(1, 1e-9)), 0.951, 5e-4);
}

TEST(GaussianAccountant, IsTheAnalyticGaussianRoundedUp) {
  SeededRandomSource random(1);
  int compared = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const double mu = LogUniform(random, 1e-2, 10);
    const double epsilon = LogUniform(random, 1e-3, 50);
    const double analytic = AnalyticDelta(mu, epsilon);
    const double delta = DeltaOf(*Mu::Create(mu), epsilon);
    EXPECT_GE(delta, analytic) << mu << " " << epsilon;
    if (analytic > 1e-100) {
      EXPECT_LE(delta, analytic * (1 + 1e-9)) << mu << " " << epsilon;
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
}

TEST(GaussianAccountant, StaysAboveTheTruthInTheFarTail) {
  for (const double mu : {1e-4, 1e-3, 0.02}) {
    for (const double epsilon : {1e-3, 0.1, 1.0, 50.0}) {
      EXPECT_GE(DeltaOf(*Mu::Create(mu), epsilon), AnalyticDelta(mu, epsilon)) << mu << " " << epsilon;
    }
  }
}

TEST(GaussianAccountant, NeverPromisesMoreThanMuKeeps) {
  SeededRandomSource random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const double epsilon = LogUniform(random, 1e-3, 50);
    const PrivacyBudget budget = *PrivacyBudget::Create(epsilon, LogUniform(random, 1e-12, 1e-2));
    const Mu mu = MuFor(budget);
    EXPECT_LE(DeltaOf(mu, budget.epsilon()), budget.delta());
    EXPECT_GT(DeltaOf(*Mu::Create(mu.value() * (1 + 1e-9)), budget.epsilon()), budget.delta());
    EXPECT_LE(SigmaShareOfZcdp(budget), 1);
  }
}

TEST(GaussianAccountant, FindsTheEpsilonThatBelongsToADelta) {
  SeededRandomSource random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Mu mu = *Mu::Create(LogUniform(random, 1e-2, 10));
    const double delta = LogUniform(random, 1e-12, 1e-2);
    const double epsilon = EpsilonOf(mu, delta);
    EXPECT_LE(DeltaOf(mu, epsilon), delta);
    if (epsilon > 0) {
      EXPECT_GT(DeltaOf(mu, epsilon * (1 - 1e-9)), delta);
    }
  }
}

TEST(GaussianAccountant, GrowsWithMuAndShrinksWithEpsilon) {
  for (double mu = 0.01; mu < 20; mu *= 1.7) {
    for (double epsilon = 0.01; epsilon < 20; epsilon *= 1.7) {
      const double delta = DeltaOf(*Mu::Create(mu), epsilon);
      EXPECT_LE(delta, DeltaOf(*Mu::Create(mu * 1.01), epsilon));
      EXPECT_GE(delta, DeltaOf(*Mu::Create(mu), epsilon * 1.01));
    }
  }
}

TEST(GaussianAccountant, TurnsMuIntoNoise) {
  EXPECT_NEAR(SigmaFor(*Mu::Create(0.25)), 4, 1e-14);
  EXPECT_GE(SigmaFor(*Mu::Create(0.25)), 4);
}

TEST(Mu, RefusesWhatIsNoSeparation) {
  for (const double value : {-1e-9, 64.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(Mu::Create(value).ok()) << value;
  }
}

TEST(GaussianAccountant, CostsNothingWhenNothingIsReleased) { EXPECT_EQ(DeltaOf(*Mu::Create(0), 0), 0); }

}  // namespace
}  // namespace flaim
