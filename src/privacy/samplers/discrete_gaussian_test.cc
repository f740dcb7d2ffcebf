#include "privacy/samplers/discrete_gaussian.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "privacy/samplers/discrete_gaussian_testing.h"
#include "privacy/samplers/random_source_testing.h"

namespace flaim {
namespace {

class DiscreteGaussianOf : public ::testing::TestWithParam<Rational> {};

INSTANTIATE_TEST_SUITE_P(Variances, DiscreteGaussianOf,
                         ::testing::Values(Rational(1, 4), Rational(1, 1), Rational(10, 3), Rational(400, 1),
                                           Rational(12345, 7)));

TEST_P(DiscreteGaussianOf, MatchesTheExactDistribution) {
  SeededRandomSource random(1);
  const DiscreteGaussian gaussian(GetParam());
  const Counts counts = CountDraws(1'000'000, [&] { return gaussian.Sample(random); });
  EXPECT_GT(ChiSquaredPValue(counts, DiscreteGaussianProbabilities(GetParam())), kTestAlpha);
}

TEST_P(DiscreteGaussianOf, MatchesTheExactDistributionWhateverItsTable) {
  SeededRandomSource random(2);
  const Probabilities probabilities = DiscreteGaussianProbabilities(GetParam());
  const auto sigma = static_cast<std::int64_t>(std::sqrt(GetParam().ToDouble()));
  for (const DiscreteGaussianTable table : {DiscreteGaussianTable{.reach = sigma / 2, .total_bits = 12},
                                            DiscreteGaussianTable{.reach = sigma, .total_bits = 10},
                                            DiscreteGaussianTable{.reach = sigma, .total_bits = 64}}) {
    const DiscreteGaussian gaussian(GetParam(), table);
    const Counts counts = CountDraws(10'000, [&] { return gaussian.Sample(random); });
    EXPECT_GT(ChiSquaredPValue(counts, probabilities), kTestAlpha) << table.reach;
  }
}

TEST(DiscreteGaussian, MatchesTheExactDistributionFromEightBitsAndAHeavyTail) {
  SeededRandomSource random(9);
  const Rational sigma_squared(10, 3);
  const DiscreteGaussian gaussian(sigma_squared, {.reach = 2, .total_bits = 8});
  const Counts counts = CountDraws(100'000, [&] { return gaussian.Sample(random); });
  EXPECT_GT(ChiSquaredPValue(counts, DiscreteGaussianProbabilities(sigma_squared)), kTestAlpha);
}

TEST(DiscreteGaussian, HasItsVarianceAndNoMean) {
  constexpr std::size_t kDraws = 1'000'000;
  SeededRandomSource random(3);
  std::vector<std::int64_t> draws(kDraws);
  DiscreteGaussian(Rational(400, 1)).Fill(random, draws);
  double sum = 0;
  double sum_of_squares = 0;
  for (const std::int64_t draw : draws) {
    sum += static_cast<double>(draw);
    sum_of_squares += static_cast<double>(draw * draw);
  }
  EXPECT_NEAR(sum_of_squares / kDraws / 400, 1, 0.007);
  EXPECT_LT(std::abs(sum / kDraws), 20 * 6.2 / std::sqrt(kDraws));  // two-sided alpha below 1e-9
}

TEST(DiscreteGaussian, TakesOneWordASampleFromItsOwnTable) {
  SeededRandomSource seeded(4);
  CountingRandomSource random(seeded);
  std::vector<std::int64_t> draws(100'000);
  DiscreteGaussian(Rational(400, 1)).Fill(random, draws);
  EXPECT_EQ(random.words_used(), draws.size());
}

TEST(DiscreteGaussian, GoesFarBeyondItsTable) {
  SeededRandomSource random(5);
  const DiscreteGaussian gaussian(Rational(400, 1), {.reach = 1, .total_bits = 64});
  std::int64_t largest = 0;
  for (int i = 0; i < 1000; ++i) largest = std::max(largest, gaussian.Sample(random));
  EXPECT_GT(largest, 40);  // two sigma: no draw of a thousand beyond it has probability 1e-10
}

TEST(DiscreteGaussian, IsAlmostAlwaysZeroForATinySigma) {
  SeededRandomSource random(6);
  for (const Rational& tiny : {Rational(1, 10'000), Rational(1, Rational::kMaxTerm)}) {
    std::vector<std::int64_t> draws(10'000, 1);
    DiscreteGaussian(tiny).Fill(random, draws);
    EXPECT_EQ(draws, std::vector<std::int64_t>(draws.size(), 0));
  }
}

TEST(DiscreteGaussian, AddsWhatItWouldFill) {
  const DiscreteGaussian gaussian(Rational(10, 3));
  std::vector<std::int64_t> noise(1000);
  SeededRandomSource first(7);
  gaussian.Fill(first, noise);
  std::vector<std::int64_t> values(noise.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i) - 500;
  SeededRandomSource second(7);
  gaussian.Add(second, values);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<std::int64_t>(i) - 500 + noise[i]);
}

TEST(DiscreteGaussianDeathTest, StopsAtOverflowAndAtAVarianceOfZero) {
  SeededRandomSource random(8);
  std::vector<std::int64_t> values(100, std::numeric_limits<std::int64_t>::max());
  EXPECT_DEATH(DiscreteGaussian(Rational(400, 1)).Add(random, values), "does not fit");
  EXPECT_DEATH(DiscreteGaussian(Rational(0, 1)), "positive");
}

using Stream = std::array<std::int64_t, 64>;

Stream DrawStream(RandomSource& random) {
  Stream stream;
  DiscreteGaussian(Rational(400, 1)).Fill(random, stream);
  return stream;
}

Stream DrawStreamInAChild(RandomSource& random) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Stream stream = DrawStream(random);
    _exit(write(ends[1], stream.data(), sizeof stream) == sizeof stream ? 0 : 1);
  }
  Stream stream{};
  EXPECT_EQ(read(ends[0], stream.data(), sizeof stream), static_cast<ssize_t>(sizeof stream));
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  close(ends[0]);
  close(ends[1]);
  return stream;
}

TEST(SecureNoise, NeverRepeatsAcrossProcessesOrSources) {
  SecureRandomSource shared;
  DrawStream(shared);
  std::set<Stream> streams;
  streams.insert(DrawStreamInAChild(shared));
  streams.insert(DrawStreamInAChild(shared));
  streams.insert(DrawStream(shared));
  streams.insert(DrawStream(shared));
  SecureRandomSource other;
  streams.insert(DrawStream(other));
  SecureRandomSource another;
  streams.insert(DrawStream(another));
  EXPECT_EQ(streams.size(), 6U);
}

}  // namespace
}  // namespace flaim
