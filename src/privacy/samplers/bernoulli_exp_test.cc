#include "privacy/samplers/bernoulli_exp.h"

#include <cmath>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"

namespace flaim {
namespace {

constexpr std::int64_t kDraws = 1'000'000;

double PValue(std::int64_t draws, long double probability, const auto& draw) {
  return ChiSquaredPValue(CountDraws(draws, draw), {{0, 1 - probability}, {1, probability}});
}

TEST(UniformBelow, IsUniformForBoundsOfMoreThan64Bits) {
  SeededRandomSource random(1);
  const UInt128 slice = (UInt128{1} << 70) / 7 + 12345;
  const Counts counts =
      CountDraws(kDraws, [&] { return static_cast<std::int64_t>(UniformBelow(5 * slice, random) / slice); });
  EXPECT_GT(ChiSquaredPValue(counts, {{0, .2L}, {1, .2L}, {2, .2L}, {3, .2L}, {4, .2L}}), kTestAlpha);
}

TEST(UniformBelow, StaysBelowItsBound) {
  SeededRandomSource random(2);
  for (const UInt128 bound : {UInt128{1}, UInt128{3}, (UInt128{1} << 64) - 1, UInt128{1} << 64, (UInt128{1} << 64) + 1,
                              (UInt128{1} << 127) + 1, ~UInt128{0}}) {
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(UniformBelow(bound, random) < bound);
  }
}

TEST(SampleBernoulli, HasTheGivenProbability) {
  SeededRandomSource random(3);
  const WideRational third_of_many{UInt128{1} << 100, UInt128{3} << 100};
  EXPECT_GT(PValue(kDraws, 1 / 3.0L, [&] { return SampleBernoulli(third_of_many, random); }), kTestAlpha);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(SampleBernoulli({5, 5}, random));
    ASSERT_FALSE(SampleBernoulli({0, 5}, random));
  }
}

TEST(SampleBernoulliExp, HasTheProbabilityOfTheExponential) {
  const WideRational gammas[] = {{1, 1000}, {1, 3},  {1, 1},
                                 {5, 2},    {13, 2}, {UInt128{7} << 90, (UInt128{5} << 90) + 1}};
  SeededRandomSource random(4);
  for (const WideRational& gamma : gammas) {
    const long double real = static_cast<long double>(gamma.numerator) / static_cast<long double>(gamma.denominator);
    EXPECT_GT(PValue(kDraws / 4, std::exp(-real), [&] { return SampleBernoulliExp(gamma, random); }), kTestAlpha)
        << static_cast<double>(real);
  }
}

TEST(SampleBernoulliExp, IsCertainAtZeroAndQuickAtAstronomicExponents) {
  SeededRandomSource random(5);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(SampleBernoulliExp({0, 9}, random));
    ASSERT_FALSE(SampleBernoulliExp({UInt128{1} << 120, 3}, random));
  }
}

TEST(SampleBernoulliExpDeathTest, StopsAtAZeroDenominator) {
  SeededRandomSource random(6);
  EXPECT_DEATH(SampleBernoulliExp({1, 0}, random), "denominator");
}

}  // namespace
}  // namespace flaim
