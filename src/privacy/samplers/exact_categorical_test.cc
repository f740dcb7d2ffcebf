#include "privacy/samplers/exact_categorical.h"

#include <cmath>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "privacy/samplers/random_source_testing.h"

namespace flaim {
namespace {

long double Real(UInt128 numerator, UInt128 denominator) {
  return static_cast<long double>(numerator) / static_cast<long double>(denominator);
}

Probabilities ExactProbabilities(const ExponentialWeights& weights) {
  Probabilities probabilities;
  std::int64_t index = 0;
  for (const UInt128 numerator : weights.numerators) {
    probabilities[index++] = std::exp(-Real(numerator, weights.denominator));
  }
  if (weights.series) {
    const auto& [first, step] = *weights.series;
    probabilities[index] = 2 * std::exp(-Real(first.numerator, first.denominator)) /
                           (1 - std::exp(-Real(step.numerator, step.denominator)));
  }
  Normalise(probabilities);
  return probabilities;
}

double PValue(const ExponentialWeights& weights, int total_bits, std::int64_t draws, RandomSource& random) {
  const ExactCategorical categorical(weights, total_bits);
  const Counts counts = CountDraws(draws, [&] { return categorical.Sample(random); });
  return ChiSquaredPValue(counts, ExactProbabilities(weights));
}

const ExponentialWeights kPlain{.numerators = {0, 1, 5, 9, 14, 30}, .denominator = 7};
const ExponentialWeights kWithSeries{
    .numerators = {3, 0, 3}, .denominator = 5, .series = TwoSidedGeometricWeight{{12, 5}, {4, 5}}};

TEST(ExactCategorical, MatchesItsWeightsAtFullPrecision) {
  SeededRandomSource random(1);
  EXPECT_GT(PValue(kPlain, 64, 1'000'000, random), kTestAlpha);
  EXPECT_GT(PValue(kWithSeries, 64, 100'000, random), kTestAlpha);
}

TEST(ExactCategorical, MatchesItsWeightsWhenTheTableIsCoarse) {
  SeededRandomSource random(2);
  for (const int total_bits : {5, 6, 8, 12}) {
    EXPECT_GT(PValue(kPlain, total_bits, 60'000, random), kTestAlpha) << total_bits;
    EXPECT_GT(PValue(kWithSeries, total_bits, 40'000, random), kTestAlpha) << total_bits;
  }
}

TEST(ExactCategorical, ResolvesDoubtfulDrawsLazilyWhenTheTableIsCoarse) {
  constexpr std::size_t kDraws = 100'000;
  SeededRandomSource seeded(3);
  CountingRandomSource random(seeded);
  const ExactCategorical coarse(kPlain, 6);
  for (std::size_t i = 0; i < kDraws; ++i) coarse.Sample(random);
  EXPECT_GT(random.words_used(), kDraws + kDraws / 4);

  CountingRandomSource other(seeded);
  const ExactCategorical fine(kPlain);
  for (std::size_t i = 0; i < kDraws; ++i) fine.Sample(other);
  EXPECT_EQ(other.words_used(), kDraws);
}

TEST(ExactCategorical, MatchesRandomWeightsAtEveryPrecision) {
  SeededRandomSource random(4);
  for (int repetition = 0; repetition < 30; ++repetition) {
    ExponentialWeights weights{.numerators = {0}, .denominator = 1 + random.NextBelow(1'000'000)};
    const std::size_t count = random.NextBelow(12);
    for (std::size_t i = 0; i < count; ++i) {
      weights.numerators.push_back(weights.denominator * random.NextBelow(1000) / 250 + random.NextBelow(3));
    }
    const int total_bits = 6 + static_cast<int>(random.NextBelow(59));
    EXPECT_GT(PValue(weights, total_bits, 30'000, random), kTestAlpha) << repetition;
  }
}

TEST(ExactCategorical, SharesEquallyBetweenEqualWeightsAndIgnoresAstronomicExponents) {
  SeededRandomSource random(5);
  const ExponentialWeights weights{.numerators = {0, UInt128{1} << 120, 0, UInt128{1} << 30, 0}, .denominator = 3};
  for (const int total_bits : {6, 64}) EXPECT_GT(PValue(weights, total_bits, 100'000, random), kTestAlpha);
}

TEST(ExactCategoricalDeathTest, StopsWithoutAUnitWeightOrWithoutRoom) {
  EXPECT_DEATH(ExactCategorical({.numerators = {1, 2}, .denominator = 3}), "no weight is 1");
  EXPECT_DEATH(ExactCategorical({.numerators = {0, 0, 0, 0, 0, 0, 0, 0}, .denominator = 3}, 4), "too many");
}

}  // namespace
}  // namespace flaim
