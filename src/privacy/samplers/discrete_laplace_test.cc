#include "privacy/samplers/discrete_laplace.h"

#include <cmath>
#include <cstdlib>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"

namespace flaim {
namespace {

constexpr std::int64_t kDraws = 300'000;
constexpr WideRational kSteps[] = {{1, 10}, {3, 7}, {1, 1}, {17, 5}};

long double RatioOf(const WideRational& step) {
  return std::exp(-static_cast<long double>(step.numerator) / static_cast<long double>(step.denominator));
}

TEST(SampleGeometric, MatchesItsDistribution) {
  SeededRandomSource random(1);
  for (const WideRational& step : kSteps) {
    Probabilities probabilities;
    for (int value = 0; value < 500; ++value) probabilities[value] = std::pow(RatioOf(step), value);
    Normalise(probabilities);
    const Counts counts = CountDraws(kDraws, [&] { return SampleGeometric(step, random); });
    EXPECT_GT(ChiSquaredPValue(counts, probabilities), kTestAlpha);
  }
}

TEST(SampleDiscreteLaplace, MatchesItsDistribution) {
  SeededRandomSource random(2);
  for (const WideRational& step : kSteps) {
    Probabilities probabilities;
    for (int value = -500; value <= 500; ++value) probabilities[value] = std::pow(RatioOf(step), std::abs(value));
    Normalise(probabilities);
    const Counts counts = CountDraws(kDraws, [&] { return SampleDiscreteLaplace(step, random); });
    EXPECT_GT(ChiSquaredPValue(counts, probabilities), kTestAlpha);
  }
}

}  // namespace
}  // namespace flaim
