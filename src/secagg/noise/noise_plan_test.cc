#include "secagg/noise/noise_plan.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "base/int128.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/samplers/discrete_gaussian.h"
#include "privacy/samplers/discrete_gaussian_testing.h"
#include "secagg/noise/noise_plan_testing.h"

namespace flaim::secagg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Whose noise nobody shares.
NoisePlan OfOne(const Rational& sigma_squared) { return NoisePlan::Make(sigma_squared, {1, 0, 0}).value(); }

// variance >= resolution^2 sigma^2 / honest, without rounding.
bool IsEnough(const NoisePlan& plan, const Rational& sigma_squared, int honest) {
  const auto units = static_cast<UInt128>(plan.resolution());
  const UInt128 promised = units * units * static_cast<UInt128>(sigma_squared.numerator());
  const UInt128 parts = static_cast<UInt128>(sigma_squared.denominator()) * static_cast<UInt128>(honest);
  // Two 128-bit fractions compare by their whole parts, then by the reciprocals of the rests.
  UInt128 a = static_cast<UInt128>(plan.share_variance().numerator());
  UInt128 b = static_cast<UInt128>(plan.share_variance().denominator());
  UInt128 c = promised;
  UInt128 d = parts;
  for (bool is_swapped = false;; is_swapped = !is_swapped) {
    if (a / b != c / d) return (a / b > c / d) != is_swapped;
    a %= b;
    c %= d;
    if (a == 0 && c == 0) return true;
    if (a == 0) return is_swapped;
    if (c == 0) return !is_swapped;
    std::swap(a, b);
    std::swap(c, d);
  }
}

TEST(NoisePlan, NeverPromisesLessThanItsShareHoweverTheFractionIsRounded) {
  SeededRandomSource random(1);
  int planned = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const auto term = [&] {
      return std::int64_t{1} + static_cast<std::int64_t>(random.NextU64() >> (24 + random.NextBelow(40)));
    };
    const Rational sigma_squared(term(), term());
    const int honest = 1 + static_cast<int>(random.NextBelow(trial % 2 == 0 ? 40 : 2'000'000));
    const auto plan = NoisePlan::Make(sigma_squared, {honest + 5, 3, 2});
    if (!plan.ok()) continue;
    ++planned;
    ASSERT_TRUE(IsEnough(*plan, sigma_squared, honest)) << sigma_squared.ToString() << " over " << honest;
    EXPECT_NEAR(plan->VarianceOf(honest) / sigma_squared.ToDouble(), 1, 1e-9);
    EXPECT_TRUE(honest == 1 || plan->share_variance().ToDouble() >= NoisePlan::kLeastShareVariance);
    const double in_whole_counts = sigma_squared.ToDouble() / honest;
    EXPECT_EQ(plan->resolution() == 1, honest == 1 || in_whole_counts >= NoisePlan::kLeastShareVariance);
  }
  EXPECT_GT(planned, 3000);
}

// From one stream, so that the draws are the same.
TEST(NoisePlan, OfOneWhoStandsInForOthersHasTheirSharesOneByOne) {
  for (const Rational& sigma_squared : {Rational(9, 4), Rational(400, 1)}) {
    const NoisePlan plan = NoisePlan::Make(sigma_squared, {5, 0, 0}).value();
    for (const int shares : {1, 2, 5}) {
      SeededRandomSource together(3, "shares");
      std::vector<std::int64_t> counts = {0, 7, -3};
      plan.AddShares(shares, together, counts);
      SeededRandomSource apart(3, "shares");
      std::vector<std::int64_t> expected = {0, 7 * plan.resolution(), -3 * plan.resolution()};
      const DiscreteGaussian share(plan.share_variance());
      for (int drawn = 0; drawn < shares; ++drawn) share.Add(apart, expected);
      EXPECT_EQ(counts, expected);
    }
  }
}

constexpr int kDraws = 1'000'000;

// Sums of twenty, four of whom may vanish and three collude: 13 are certain. Six standard errors: alpha 2e-9.
class NoiseOfTwenty : public ::testing::TestWithParam<Rational> {
 protected:
  static constexpr ParticipantBounds kBounds{20, 4, 3};
};

INSTANTIATE_TEST_SUITE_P(Variances, NoiseOfTwenty, ::testing::Values(Rational(9, 4), Rational(400, 1)));

TEST_P(NoiseOfTwenty, CarriesThePromisedVarianceAfterTheWorstDropoutWithoutTheColluders) {
  const NoisePlan plan = NoisePlan::Make(GetParam(), kBounds).value();
  SeededRandomSource random(2);
  const double left = SampleVarianceOfSum(plan, 13, kDraws, random);
  EXPECT_NEAR(left / GetParam().ToDouble(), 1, 6 * std::sqrt(2.0 / kDraws));
}

TEST_P(NoiseOfTwenty, CarriesTheReportedSurplusIfNobodyDropsOutOrColludes) {
  const NoisePlan plan = NoisePlan::Make(GetParam(), kBounds).value();
  SeededRandomSource random(3);
  EXPECT_NEAR(plan.VarianceOf(20) / GetParam().ToDouble(), 20.0 / 13, 1e-9);
  EXPECT_NEAR(SampleVarianceOfSum(plan, 20, kDraws, random) / plan.VarianceOf(20), 1, 6 * std::sqrt(2.0 / kDraws));
}

TEST(NoisePlan, OfManyWithLittleNoiseKeepsItsVarianceInFinerUnits) {
  constexpr int kHonest = 10'000;
  const NoisePlan plan = NoisePlan::Make(Rational(9, 1), {kHonest, 0, 0}).value();
  EXPECT_EQ(plan.resolution(), 128);
  const auto variance = [](const Probabilities& probabilities, const auto& count_of) {
    long double sum = 0;
    for (const auto& [value, probability] : probabilities) {
      const auto count = static_cast<long double>(count_of(value));
      sum += probability * count * count;
    }
    return static_cast<double>(sum);
  };
  const double of_a_share =
      variance(DiscreteGaussianProbabilities(plan.share_variance()), [](std::int64_t value) { return value; });
  EXPECT_NEAR(of_a_share * kHonest / (128.0 * 128.0) / 9, 1, 1e-3);
  const double of_the_count = variance(DiscreteGaussianProbabilities(Rational(9 * 128 * 128, 1)),
                                       [&](std::int64_t sum) { return plan.ToCount(sum); });
  EXPECT_NEAR(of_the_count, 9 + 1.0 / 12, 1e-4);
  EXPECT_NEAR(of_the_count, plan.VarianceOfCounts(kHonest), 1e-4);
}

TEST(NoisePlan, RoundsToTheNearestCountHalvesToTheEvenOne) {
  const NoisePlan plan = NoisePlan::Make(Rational(1, 1), {2, 0, 0}).value();
  ASSERT_EQ(plan.resolution(), 4);
  EXPECT_EQ(plan.ToCount(9), 2);
  EXPECT_EQ(plan.ToCount(10), 2);
  EXPECT_EQ(plan.ToCount(11), 3);
  EXPECT_EQ(plan.ToCount(14), 4);
  EXPECT_EQ(plan.ToCount(-9), -2);
  EXPECT_EQ(plan.ToCount(-10), -2);
  EXPECT_EQ(plan.ToCount(-14), -4);
  EXPECT_EQ(plan.ToCount(std::numeric_limits<std::int64_t>::max()), std::int64_t{1} << 61);
  EXPECT_EQ(plan.ToCount(std::numeric_limits<std::int64_t>::min()), -(std::int64_t{1} << 61));
  for (std::int64_t sum = -100; sum <= 100; ++sum) {
    EXPECT_EQ(plan.ToCount(sum), static_cast<std::int64_t>(std::nearbyint(static_cast<double>(sum) / 4)));
  }
}

TEST(NoisePlan, RoundsWithoutADriftEvenInHalves) {
  const NoisePlan plan = NoisePlan::Make(Rational(6, 1), {2, 0, 0}).value();
  ASSERT_EQ(plan.resolution(), 2);
  long double mean = 0;
  for (const auto& [noise, probability] : DiscreteGaussianProbabilities(Rational(24, 1))) {
    mean += probability * static_cast<long double>(plan.ToCount(2 * 100 + noise));
  }
  EXPECT_NEAR(static_cast<double>(mean), 100, 1e-6);
}

// In halves, rounding adds an eighth; in whole counts nothing.
TEST(NoisePlan, TellsTheVarianceOfItsCounts) {
  const NoisePlan halves = NoisePlan::Make(Rational(6, 1), {3, 1, 0}).value();
  ASSERT_EQ(halves.resolution(), 2);
  double variance = 0;
  for (const auto& [noise, probability] : DiscreteGaussianProbabilities(Rational(36, 1))) {
    const auto count = static_cast<double>(halves.ToCount(noise));
    variance += static_cast<double>(probability) * count * count;
  }
  EXPECT_NEAR(variance, halves.VarianceOfCounts(3), 1e-6);
  EXPECT_NEAR(halves.VarianceOfCounts(3), 6 * 3.0 / 2 + 0.125, 1e-12);
  const NoisePlan counts = NoisePlan::Make(Rational(600, 1), {3, 1, 0}).value();
  EXPECT_EQ(counts.VarianceOfCounts(3), counts.VarianceOf(3));
}

TEST(NoisePlan, WithoutNoiseLeavesCountsAsTheyAre) {
  const NoisePlan plan = NoisePlan::None();
  SeededRandomSource random(4);
  std::vector<std::int64_t> counts = {3, -1, std::numeric_limits<std::int64_t>::max()};
  plan.AddShare(random, counts);
  EXPECT_THAT(counts, ElementsAre(3, -1, std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(plan.ToCount(-7), -7);
  EXPECT_FALSE(plan.HasNoise());
  EXPECT_EQ(plan.VarianceOf(5), 0);
}

TEST(NoisePlan, MultipliesCountsByTheResolution) {
  const NoisePlan plan = NoisePlan::Make(Rational(1, 100), {50, 0, 0}).value();
  SeededRandomSource random(5);
  std::vector<std::int64_t> sums(100, 0);
  for (int contributor = 0; contributor < 50; ++contributor) {
    std::vector<std::int64_t> counts(100, contributor);
    plan.AddShare(random, counts);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counts[i];
  }
  for (const std::int64_t sum : sums) EXPECT_NEAR(static_cast<double>(plan.ToCount(sum)), 49 * 50 / 2, 1);
}

TEST(NoisePlan, WithOneHonestContributorIsNotSplitAndInWholeCounts) {
  const NoisePlan plan = NoisePlan::Make(Rational(1, 3), {4, 2, 1}).value();
  EXPECT_EQ(plan, OfOne(Rational(1, 3)));
  EXPECT_EQ(plan.share_variance(), Rational(1, 3));
  EXPECT_EQ(plan.resolution(), 1);
}

TEST(NoisePlan, SaysWhatToChange) {
  const auto message = [](const absl::StatusOr<NoisePlan>& plan) {
    EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(plan.status().message());
  };
  EXPECT_THAT(message(NoisePlan::Make(Rational(1, 1), {10, 6, 4})), HasSubstr("nobody honest is sure to add noise"));
  EXPECT_THAT(message(NoisePlan::Make(Rational(1, 1), {10, -6, 4})), HasSubstr("are no bounds of a sum"));
  EXPECT_THAT(message(NoisePlan::Make(Rational(0, 1), {10, 1, 1})), HasSubstr("sigma above 0"));
  EXPECT_THAT(message(NoisePlan::Make(Rational(0, 1), {1, 0, 0})), HasSubstr("sigma above 0"));
  EXPECT_THAT(message(NoisePlan::Make(Rational(1, Rational::kMaxTerm), {1'000'000, 0, 0})),
              HasSubstr("too small to be split over 1000000 participants"));
}

TEST(NoisePlanDeathTest, StopsBeforeACountOverflows) {
  const NoisePlan plan = NoisePlan::Make(Rational(1, 1), {2, 0, 0}).value();
  SeededRandomSource random(6);
  std::vector<std::int64_t> counts = {std::int64_t{1} << 62};
  EXPECT_DEATH(plan.AddShare(random, counts), "exceeds 64 bits");
}

// Probabilities of the sum of `shares` discrete Gaussians, from their definition.
std::vector<long double> Convolved(const Rational& share_variance, int shares) {
  std::vector<long double> one;
  for (const auto& [value, probability] : DiscreteGaussianProbabilities(share_variance)) one.push_back(probability);
  std::vector<long double> sum = {1};
  for (int share = 0; share < shares; ++share) {
    std::vector<long double> next(sum.size() + one.size() - 1, 0);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      for (std::size_t j = 0; j < one.size(); ++j) next[i + j] += sum[i] * one[j];
    }
    sum = std::move(next);
  }
  return sum;
}

// By definition: what the distribution has more than e^epsilon times what it has when it is moved.
double DeltaOfAMove(const std::vector<long double>& probabilities, std::size_t move, double epsilon) {
  long double delta = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const long double moved = i >= move ? probabilities[i - move] : 0;
    delta += std::max(0.0L, moved - std::exp(static_cast<long double>(epsilon)) * probabilities[i]);
  }
  return static_cast<double>(delta);
}

// The accountant knows neither how many there are nor in which units they draw. Whole noise would not cover them all.
TEST(SplitNoise, LosesNoMoreThanTheExactAccountantSays) {
  double worst_against_whole = 0;
  for (const Rational& sigma_squared :
       {Rational(1, 8), Rational(3, 10), Rational(1, 2), Rational(2, 1), Rational(11, 1)}) {
    const GaussianMechanism paid{sigma_squared};
    for (const int honest : {1, 2, 3, 9}) {
      const Rational with_price = WithPriceOfSplitting(sigma_squared).value();
      const NoisePlan plan = NoisePlan::Make(with_price, {honest, 0, 0}).value();
      const std::vector<long double> noise = Convolved(plan.share_variance(), honest);
      for (double epsilon = 0; epsilon < 12; epsilon += 0.3) {
        const double delta = DeltaOfAMove(noise, static_cast<std::size_t>(plan.resolution()), epsilon);
        if (delta < 1e-12) break;
        EXPECT_LE(delta, ExactDelta({{SplitGaussian{paid}}}, epsilon).value() * (1 + 1e-12))
            << sigma_squared.ToString() << " over " << honest << " at " << epsilon;
        worst_against_whole = std::max(worst_against_whole, delta / ExactDelta({{paid}}, epsilon).value());
      }
    }
  }
  EXPECT_GT(worst_against_whole, 1.1);
}

// Exact accounting counts on this much, and zCDP on some of it.
TEST(WithPriceOfSplitting, IsAHairHoweverTheFractionIsWritten) {
  for (const Rational& sigma_squared : {Rational(1, 128), Rational(1, 3), Rational(3, 1), Rational(20, 1),
                                        Rational(1'234'567'891, 1 << 20), Rational(Rational::kMaxTerm - 1, 1)}) {
    const Rational with_price = WithPriceOfSplitting(sigma_squared).value();
    EXPECT_GT(with_price, sigma_squared);
    for (const int honest : {1, 2, 7, 1000, 1'000'000}) {
      const auto plan = NoisePlan::Make(with_price, {honest, 0, 0});
      if (!plan.ok()) continue;
      const auto share = static_cast<long double>(plan->share_variance().numerator()) /
                         static_cast<long double>(plan->share_variance().denominator());
      const auto units = static_cast<long double>(plan->resolution());
      const auto paid =
          static_cast<long double>(sigma_squared.numerator()) / static_cast<long double>(sigma_squared.denominator());
      const long double surplus = honest * share / (units * units) / paid - 1;
      EXPECT_GE(surplus, 0x1p-41L) << sigma_squared.ToString() << " over " << honest;
      EXPECT_LE(surplus, 0x1p-32L) << sigma_squared.ToString() << " over " << honest;
    }
  }
}

// Renyi divergence of the distribution from itself moved by one.
double DivergenceOfAMove(const std::vector<long double>& probabilities, double order) {
  const auto alpha = static_cast<long double>(order);
  long double sum = 0;
  for (std::size_t i = 1; i < probabilities.size(); ++i) {
    sum += std::exp(alpha * std::log(probabilities[i]) + (1 - alpha) * std::log(probabilities[i - 1]));
  }
  return static_cast<double>(std::log(sum) / (alpha - 1));
}

// What the noise really costs beyond 1 / (2 sigma^2), as a coefficient of the order.
double TrueExcess(const Rational& share_variance, int shares) {
  const std::vector<long double> probabilities = Convolved(share_variance, shares);
  double excess = -1;
  for (const double order : {1.01, 1.2, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0}) {
    excess = std::max(excess,
                      DivergenceOfAMove(probabilities, order) / order - 1 / (2 * shares * share_variance.ToDouble()));
  }
  return excess;
}

TEST(PriceOfSplitting, CoversWhatSumsOfShortSharesReallyCost) {
  for (const Rational& share_variance : {Rational(1, 4), Rational(9, 25), Rational(16, 25), Rational(1, 1)}) {
    const NoisePlan plan = OfOne(share_variance);
    for (const int shares : {2, 3, 4}) {
      const double excess = TrueExcess(share_variance, shares);
      EXPECT_GT(excess, 0) << "there is something to cover";
      EXPECT_GE(PriceOfSplitting(plan, shares, 1), excess) << share_variance.ToString() << " x " << shares;
    }
  }
}

TEST(PriceOfSplitting, IsNothingForOneShareAndGrowsWithTheCountsThatMove) {
  const NoisePlan plan = OfOne(Rational(9, 25));
  EXPECT_EQ(PriceOfSplitting(plan, 1, 3), 0);
  EXPECT_GT(PriceOfSplitting(plan, 2, 1), 0);
  EXPECT_DOUBLE_EQ(PriceOfSplitting(plan, 4, 6), 6 * PriceOfSplitting(plan, 4, 1));
  EXPECT_LE(TrueExcess(Rational(9, 25), 1), 1e-15) << "one discrete Gaussian costs no more than a Gaussian";
}

// Kairouz, Liu, Steinke 2021: the sum written out.
TEST(PriceOfSplitting, IsTheBoundOfThePaperForManyShares) {
  const NoisePlan plan = OfOne(Rational(2, 1));
  double tau = 0;
  for (int k = 1; k < 900; ++k) tau += 10 * std::exp(-4 * std::numbers::pi * std::numbers::pi * k / (k + 1));
  EXPECT_NEAR(PriceOfSplitting(plan, 900, 1) / (tau / std::sqrt(1800) + tau * tau / 2), 1, 1e-12);
  for (int k = 900; k < 100'000; ++k) tau += 10 * std::exp(-4 * std::numbers::pi * std::numbers::pi * k / (k + 1));
  const double more = PriceOfSplitting(plan, 100'000, 1) / (tau / std::sqrt(200'000) + tau * tau / 2);
  EXPECT_GE(more, 1);
  EXPECT_LT(more, 1.05);
}

TEST(PriceOfSplitting, IsBelowNoticeFromTheLeastShareVarianceOn) {
  const auto relative = [](int share_variance, int honest) {
    const NoisePlan plan = OfOne(Rational(share_variance, 1));
    return PriceOfSplitting(plan, honest, 1) * 2 * honest * share_variance;
  };
  for (const int honest : {2, 10, 1000, 1'000'000}) {
    EXPECT_LT(relative(NoisePlan::kLeastShareVariance, honest), 0x1p-50) << honest;
    EXPECT_LT(relative(24, honest), 0x1p-50) << honest;
  }
  EXPECT_GT(relative(4, 1'000'000), 0x1p-50) << "a smaller one would not do";
}

}  // namespace
}  // namespace flaim::secagg
