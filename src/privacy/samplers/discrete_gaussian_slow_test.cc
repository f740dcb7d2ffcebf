#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "privacy/samplers/discrete_gaussian.h"
#include "privacy/samplers/discrete_gaussian_reference.h"
#include "privacy/samplers/discrete_gaussian_testing.h"

namespace flaim {
namespace {

class DiscreteGaussianReferenceOf : public ::testing::TestWithParam<Rational> {};

INSTANTIATE_TEST_SUITE_P(Variances, DiscreteGaussianReferenceOf,
                         ::testing::Values(Rational(1, 4), Rational(1, 1), Rational(10, 3), Rational(400, 1),
                                           Rational(12345, 7)));

TEST_P(DiscreteGaussianReferenceOf, MatchesTheExactDistribution) {
  SeededRandomSource random(1);
  const Counts counts = CountDraws(1'000'000, [&] { return SampleDiscreteGaussianReference(GetParam(), random); });
  EXPECT_GT(ChiSquaredPValue(counts, DiscreteGaussianProbabilities(GetParam())), kTestAlpha);
}

class LargeDiscreteGaussianOf : public ::testing::TestWithParam<Rational> {};

// Sigma just below and just above the end of the table, one with a large denominator, a million, and the largest.
INSTANTIATE_TEST_SUITE_P(Variances, LargeDiscreteGaussianOf,
                         ::testing::Values(Rational(1'863'225, 1), Rational(1'865'956, 1),
                                           Rational(Rational::kMaxTerm, 1'000'003), Rational(1'000'000'000'000, 1),
                                           Rational(Rational::kMaxTerm, 1)));

TEST_P(LargeDiscreteGaussianOf, MatchesTheExactDistribution) {
  SeededRandomSource random(2);
  const DiscreteGaussian gaussian(GetParam());
  const std::int64_t width = QuarterSigmaWidth(GetParam());
  const Counts counts = CountDraws(500'000, [&] { return CellOf(gaussian.Sample(random), width); });
  EXPECT_GT(ChiSquaredPValue(counts, QuarterSigmaProbabilities(GetParam())), kTestAlpha);
}

}  // namespace
}  // namespace flaim
