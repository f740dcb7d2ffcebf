#include "audit/log_ratio.h"

#include <cmath>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers Draw(RandomSource& random, std::size_t size, std::uint64_t below) {
  Numbers numbers;
  for (std::size_t i = 0; i < size; ++i) numbers.push_back(static_cast<std::int64_t>(random.NextBelow(below)));
  return numbers;
}

// The probability of a discrete Gaussian by its definition.
double LogMass(std::int64_t noise, double variance) {
  double sum = 0;
  for (int k = -400; k <= 400; ++k) sum += std::exp(-k * k / (2 * variance));
  return -static_cast<double>(noise * noise) / (2 * variance) - std::log(sum);
}

TEST(LogRatioOfCounts, IsTheRatioOfTheTwoProbabilities) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Numbers released = Draw(random, 5, 20);
    const Numbers with = Draw(random, 5, 20);
    const Numbers without = Draw(random, 5, 20);
    const Rational variance(1 + static_cast<std::int64_t>(random.NextBelow(60)), 3);
    double expected = 0;
    for (std::size_t i = 0; i < released.size(); ++i) {
      expected +=
          LogMass(released[i] - with[i], variance.ToDouble()) - LogMass(released[i] - without[i], variance.ToDouble());
    }
    EXPECT_NEAR(LogRatioOfCounts(released, with, without, variance), expected, 1e-9 * (1 + std::abs(expected)));
  }
}

TEST(LogRatioOfChoice, IsTheRatioOfTheTwoProbabilitiesAndTheyAddUpToOne) {
  SeededRandomSource random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Numbers with = Draw(random, 4, 5000);
    const Numbers without = Draw(random, 4, 5000);
    const ExponentialMechanism mechanism{Rational(3, 2), 2520};
    double sum = 0;
    for (std::size_t chosen = 0; chosen < with.size(); ++chosen) {
      double all = 0;
      for (const std::int64_t score : without) all += std::exp(1.5 * static_cast<double>(score) / 5040);
      const double probability = std::exp(1.5 * static_cast<double>(without[chosen]) / 5040) / all;
      sum += probability * std::exp(LogRatioOfChoice(chosen, with, without, mechanism));
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(Price, IsWhatIsChargedWhereARecordMovesAllItCan) {
  const Numbers before = {3, 0, 7};
  const Numbers after = {4, 0, 8};
  EXPECT_DOUBLE_EQ(PriceOfCounts(after, before, Rational(5, 1)), 2 / 10.0);
  const ExponentialMechanism mechanism{Rational(2, 1), 10};
  EXPECT_DOUBLE_EQ(PriceOfChoice(Numbers{20, 0}, Numbers{10, 10}, mechanism), 4 / 8.0);
  EXPECT_DOUBLE_EQ(PriceOfChoice(Numbers{20, 10}, Numbers{10, 10}, mechanism), 1 / 8.0);
  EXPECT_DOUBLE_EQ(PriceOfChoice(Numbers{7, 7}, Numbers{7, 7}, mechanism), 0);
}

}  // namespace
}  // namespace flaim
