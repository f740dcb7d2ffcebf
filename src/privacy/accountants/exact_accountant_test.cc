#include "privacy/accountants/exact_accountant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/seeded_random_source.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

double LogUniform(SeededRandomSource& random, double low, double high) {
  return low * std::pow(high / low, random.NextUnit());
}

Step Noise(double sigma, std::int64_t counts = 1) {
  return GaussianMechanism{*Rational::RoundUp(sigma * sigma), counts};
}

Step Selection(double epsilon) { return ExponentialMechanism{*Rational::RoundDown(epsilon)}; }

// Rounds of one selection and one measurement that spend `rho`, a tenth of it on selections.
std::vector<Step> Rounds(int count, double rho) {
  std::vector<Step> steps;
  for (int round = 0; round < count; ++round) {
    steps.push_back(Selection(std::sqrt(0.8 * rho / count)));
    steps.push_back(Noise(std::sqrt(count / (1.8 * rho))));
  }
  return steps;
}

Rho TotalCost(const std::vector<Step>& steps) {
  Rho total;
  for (const Step& step : steps) {
    total = total + std::visit(
                        [](const auto& kind) {
                          if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, Mu>) {
                            return Rho::RoundUp(kind.value() * kind.value() / 2);
                          } else if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, SplitGaussian>) {
                            return CostOf(kind.mechanism);
                          } else {
                            return CostOf(kind);
                          }
                        },
                        step);
  }
  return total;
}

TEST(ExactAccountant, IsNeverBelowTheAnalyticGaussian) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 150; ++trial) {
    const double mu = LogUniform(random, 0.02, 3);
    const double epsilon = LogUniform(random, 0.01, 4 * mu + mu * mu);
    const std::vector<Step> steps(1 + random.NextBelow(20), *Mu::Create(mu));
    const Mu whole = *Mu::Create(mu * std::sqrt(steps.size()));
    const double analytic = DeltaOf(whole, epsilon);
    const auto delta = ExactDelta(steps, epsilon);
    ASSERT_TRUE(delta.ok()) << delta.status();
    EXPECT_GE(*delta, analytic * (1 - 1e-12)) << mu << " " << epsilon << " " << steps.size();
    if (analytic > 1e-14 && analytic < 0.99) {
      EXPECT_LE(*delta, DeltaOf(*Mu::Create(whole.value() * 1.005), epsilon)) << mu << " " << epsilon;
    }
  }
}

// Discrete noise has a loss on a lattice of its own, so its delta lies now above, now below the continuous one.
TEST(ExactAccountant, SeesHowLittleDiscreteNoiseDiffersFromContinuous) {
  for (const double sigma : {1.0, 2.0, 5.0, 20.0}) {
    const double discrete = *ExactEpsilon({{Noise(sigma, 9)}}, 1e-6);
    const double continuous = EpsilonOf(*Mu::Create(3 / sigma), 1e-6);
    EXPECT_NEAR(discrete / continuous, 1, 0.01 / sigma) << sigma;
    EXPECT_NE(discrete, continuous);
  }
}

// Steps of slightly different sigma cannot be merged, so this composes lattice distribution after lattice distribution.
TEST(ExactAccountant, StaysWithinHalfAPercentOfMuOverManySteps) {
  for (const double delta : {1e-5, 1e-9}) {
    const double mu = MuFor(*PrivacyBudget::Create(1, delta)).value();
    for (const int count : {10, 50, 200}) {
      std::vector<Step> steps;
      for (int step = 0; step < count; ++step) steps.push_back(Noise(std::sqrt(count) / mu * (1 + 1e-7 * step)));
      const double exact = *ExactDelta(steps, 1);
      EXPECT_GE(exact, DeltaOf(*Mu::Create(mu * 0.9999), 1)) << count;
      EXPECT_LE(exact, DeltaOf(*Mu::Create(mu * 1.005), 1)) << count;
    }
  }
}

TEST(ExactAccountant, FallsBackToZcdpWhereTheLatticeEnds) {
  const std::vector<Step> steps = {Noise(50)};
  EXPECT_LT(*BestDelta(steps, 10), 1e-200);
  EXPECT_EQ(*BestDelta(steps, 10), DeltaOf(TotalCost(steps), 10));
}

TEST(ExactAccountant, ChargesMoreWhenNoiseIsSeenBeforeTheChoice) {
  const std::vector<Step> noise_first = {Noise(3), Selection(0.5)};
  const std::vector<Step> choice_first = {Selection(0.5), Noise(3)};
  EXPECT_GT(*ExactDelta(noise_first, 0.6), *ExactDelta(choice_first, 0.6) * 1.0001);
}

TEST(ExactAccountant, MergesEqualNoiseWithoutChangingTheAnswer) {
  const std::vector<Step> apart(12, Noise(9));
  const std::vector<Step> together = {Noise(9, 12)};
  EXPECT_EQ(*ExactDelta(apart, 0.7), *ExactDelta(together, 0.7));
}

TEST(ExactAccountant, SplitsAMergeThatWouldBeTooLarge) {
  const std::vector<Step> steps(25, GaussianMechanism{Rational(1'000'000'000, 1)});
  const Mu mu = *Mu::Create(5 / std::sqrt(1e9));
  EXPECT_GE(*ExactDelta(steps, 1e-4), DeltaOf(mu, 1e-4) * 0.999);
  EXPECT_LE(*ExactDelta(steps, 1e-4), DeltaOf(*Mu::Create(mu.value() * 1.005), 1e-4));
}

Step InShares(double sigma, std::int64_t counts = 1) {
  return SplitGaussian{std::get<GaussianMechanism>(Noise(sigma, counts))};
}

// The resolution is the coordinator's to choose, after it has seen what came before.
TEST(ExactAccountant, ChargesNoiseInSharesForTheWorstResolutionAtEachStep) {
  const std::vector<Step> whole = {Noise(0.8), Noise(1.1, 2)};
  const std::vector<Step> shares = {InShares(0.8), InShares(1.1, 2)};
  const std::vector<Step> continuous = {*Mu::Create(1 / 0.8), *Mu::Create(std::sqrt(2) / 1.1)};
  for (const double epsilon : {0.5, 2.0, 4.5, 7.0}) {
    EXPECT_GE(*ExactDelta(shares, epsilon), *ExactDelta(whole, epsilon)) << epsilon;
    EXPECT_GE(*ExactDelta(shares, epsilon), *ExactDelta(continuous, epsilon)) << epsilon;
  }
  EXPECT_LE(*ExactDelta({{InShares(20, 5)}}, 0.5), *ExactDelta({{Noise(20, 5)}}, 0.5) * 1.01);
}

// One sum may come in halves and the next in quarters, so two are more than one of both.
TEST(ExactAccountant, DoesNotMergeNoiseInShares) {
  const std::vector<Step> apart(2, InShares(0.7));
  EXPECT_GE(*ExactDelta(apart, 5), *ExactDelta({{InShares(0.7, 2)}}, 5) * (1 - 1e-9));
  EXPECT_GT(*ExactDelta(apart, 5), *ExactDelta({{InShares(0.7, 2)}}, 5) * 1.0001);
}

TEST(ExactAccountant, MergesEqualNoiseAlsoAfterAnotherAndBeforeASelection) {
  const std::vector<Step> apart = {Noise(9), Noise(7), Noise(9), Noise(7), Selection(0.2), Noise(9), Noise(9)};
  const std::vector<Step> together = {Noise(7, 2), Noise(9, 2), Selection(0.2), Noise(9, 2)};
  EXPECT_NEAR(*ExactDelta(apart, 0.7) / *ExactDelta(together, 0.7), 1, 1e-9);
  EXPECT_GT(*ExactDelta(apart, 0.7), 1.2 * *ExactDelta({{Noise(7), Noise(9, 2), Selection(0.2), Noise(9, 2)}}, 0.7));
  EXPECT_GT(*ExactDelta(apart, 0.7), 1.2 * *ExactDelta({{Noise(7, 2), Noise(9, 2), Selection(0.2), Noise(9)}}, 0.7));
}

TEST(ExactAccountant, GrowsWithEveryStepAndShrinksWithEpsilon) {
  std::vector<Step> steps;
  double previous = 0;
  for (int round = 0; round < 6; ++round) {
    steps.push_back(round % 2 == 0 ? Selection(0.2) : Noise(8));
    const double delta = *ExactDelta(steps, 0.1);
    EXPECT_GT(delta, previous);
    EXPECT_LE(*ExactDelta(steps, 0.12), delta);
    previous = delta;
  }
}

TEST(ExactAccountant, FindsTheEpsilonThatBelongsToADelta) {
  const PrivacyBudget budget = *PrivacyBudget::Create(1, 1e-5);
  const std::vector<Step> steps = Rounds(10, RhoFor(budget).ToDouble());
  const auto epsilon = ExactEpsilon(steps, budget.delta());
  ASSERT_TRUE(epsilon.ok()) << epsilon.status();
  EXPECT_LT(*epsilon, 0.95);
  EXPECT_LE(*ExactDelta(steps, *epsilon), budget.delta() * 1.01);
  EXPECT_GE(*ExactDelta(steps, *epsilon * 0.995), budget.delta());
}

TEST(ExactAccountant, LetsAScheduleOfRoundsUseLessNoise) {
  const PrivacyBudget budget = *PrivacyBudget::Create(1, 1e-5);
  const std::vector<Step> steps = Rounds(10, RhoFor(budget).ToDouble());
  const auto scale = CalibrateNoise(steps, budget);
  ASSERT_TRUE(scale.ok()) << scale.status();
  EXPECT_NEAR(*scale, 0.922, 0.002);
  EXPECT_LE(*BestDelta(*ScaleNoise(steps, *scale), 1), budget.delta());
  EXPECT_GT(*BestDelta(*ScaleNoise(steps, *scale * 0.999), 1), budget.delta());
}

// At epsilon 8.25 a little more noise than enough is too little.
TEST(ExactAccountant, TriesTheLeastScaleBeforeItReturnsIt) {
  const PrivacyBudget budget = *PrivacyBudget::Create(8.25, 1e-6);
  const std::vector<Step> steps = {Noise(std::sqrt(1 / (2 * RhoFor(budget).ToDouble())))};
  const double enough = *CalibrateNoise(steps, budget);
  int peaks = 0;
  for (double least = enough; least < 1.2 * enough; least *= 1.003) {
    const double scale = *CalibrateNoise(steps, budget, least);
    EXPECT_GE(scale, least);
    EXPECT_LE(*BestDelta(*ScaleNoise(steps, scale), 8.25), budget.delta()) << least;
    peaks += *BestDelta(*ScaleNoise(steps, least), 8.25) > 2 * budget.delta() ? 1 : 0;
  }
  EXPECT_GE(peaks, 5);
}

TEST(ExactAccountant, ScalesNoiseToThePrivateSide) {
  const std::vector<Step> steps = {Noise(10), Selection(0.1), *Mu::Create(0.3)};
  const auto scaled = ScaleNoise(steps, 1 / 3.0);
  ASSERT_TRUE(scaled.ok());
  EXPECT_NEAR(std::get<GaussianMechanism>((*scaled)[0]).sigma_squared.ToDouble(), 100 / 9.0, 1e-7);
  EXPECT_GE(std::get<GaussianMechanism>((*scaled)[0]).sigma_squared.ToDouble(), 100 / 9.0);
  EXPECT_NEAR(std::get<ExponentialMechanism>((*scaled)[1]).epsilon.ToDouble(), 0.3, 1e-7);
  EXPECT_LE(std::get<ExponentialMechanism>((*scaled)[1]).epsilon.ToDouble(), 0.3);
  EXPECT_DOUBLE_EQ(std::get<Mu>((*scaled)[2]).value(), 0.9);
}

TEST(ExactAccountant, ChargesNothingForNothing) {
  EXPECT_EQ(*ExactDelta({}, 0), 0);
  EXPECT_EQ(*ExactEpsilon({}, 1e-9), 0);
  EXPECT_EQ(*ExactDelta({{Selection(0)}}, 0), 0);
}

TEST(ExactAccountant, RefusesWhatItCannotFollow) {
  const std::vector<Step> good = {Noise(10)};
  const PrivacyBudget budget = *PrivacyBudget::Create(1, 1e-6);
  EXPECT_FALSE(ExactDelta(good, -1).ok());
  EXPECT_FALSE(ExactDelta(good, std::nan("")).ok());
  EXPECT_FALSE(ExactEpsilon(good, 0).ok());
  EXPECT_FALSE(ExactEpsilon(good, 1).ok());
  EXPECT_FALSE(ExactDelta({{GaussianMechanism{Rational(0, 1)}}}, 1).ok());
  EXPECT_FALSE(ExactDelta({{GaussianMechanism{Rational(1'000'000'000, 1), 1000}}}, 1).ok());
  EXPECT_FALSE(ExactDelta({{SplitGaussian{{Rational(1, 200)}}}}, 1).ok());
  EXPECT_FALSE(ExactDelta({{SplitGaussian{{Rational(1'000'000'000, 1), 1000}}}}, 1).ok());
  EXPECT_FALSE(ExactDelta({{Selection(101)}}, 1).ok());
  EXPECT_FALSE(ExactDelta(std::vector<Step>(3000, *Mu::Create(1)), 1).ok());
  EXPECT_FALSE(ExactDelta(std::vector<Step>(100'001, *Mu::Create(1e-6)), 1).ok());
  EXPECT_FALSE(ScaleNoise(good, 0).ok());
  EXPECT_FALSE(ScaleNoise(good, 1e9).ok());
  EXPECT_FALSE(CalibrateNoise({}, budget).ok());
}

}  // namespace
}  // namespace flaim
