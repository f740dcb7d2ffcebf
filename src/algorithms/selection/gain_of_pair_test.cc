#include "algorithms/selection/gain_of_pair.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "algorithms/loop/sample_testing.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

constexpr double kTotal = 10'000;

std::vector<double> UnevenShares(std::size_t cells) {
  std::vector<double> shares(cells);
  double sum = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) sum += shares[cell] = 1.0 / static_cast<double>(1 + cell);
  for (double& share : shares) share /= sum;
  return shares;
}

// Counts of a truth that differs from the shares by N(0, tau^2 m), with noise.
struct Draw {
  std::vector<double> truth;
  std::vector<double> noisy;
};
Draw DrawCounts(const std::vector<double>& shares, double tau_squared, double sigma, RandomSource& random) {
  Draw draw;
  for (const double share : shares) {
    draw.truth.push_back(kTotal * share + std::sqrt(tau_squared * share) * NextNormal(random));
    draw.noisy.push_back(draw.truth.back() + sigma * NextNormal(random));
  }
  return draw;
}

TEST(ExcessVariance, IsWhatTheTruthDiffersByLessOneDeviationOfTheNoise) {
  SeededRandomSource random(1, "excess");
  const std::vector<double> shares = UnevenShares(60);
  double squares = 0;
  for (const double share : shares) squares += share * share;
  constexpr double kSigma = 20;
  constexpr double kTauSquared = 50'000;
  double mean = 0;
  constexpr int kDraws = 4000;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Draw drawn = DrawCounts(shares, kTauSquared, kSigma, random);
    mean += ExcessVariance({drawn.noisy, kSigma * kSigma, shares, kTotal}) / kDraws;
  }
  EXPECT_NEAR(mean / (kTauSquared - kSigma * kSigma * std::sqrt(2 / squares)), 1, 0.05);
}

TEST(ExcessVariance, OfNothingButNoiseIsSeldomMoreThanZero) {
  SeededRandomSource random(2, "noise");
  const std::vector<double> shares = UnevenShares(60);
  int positive = 0;
  for (int draw = 0; draw < 1000; ++draw) {
    const Draw drawn = DrawCounts(shares, 0, 20, random);
    positive += ExcessVariance({drawn.noisy, 400, shares, kTotal}) > 0 ? 1 : 0;
  }
  EXPECT_LT(positive, 250);
  EXPECT_GT(positive, 50);
}

// The gain is the fall of the error that comes of replacing the model by the best guess from model and measurement; a
// tenth less, because a standard deviation of noise is taken off the excess.
TEST(ExpectedGain, IsNearlyTheErrorThatAMeasurementTakesAway) {
  SeededRandomSource random(3, "gain");
  const std::vector<double> shares = UnevenShares(60);
  constexpr double kSigma = 15;
  constexpr double kTauSquared = 200'000;
  double gained = 0;
  double expected = 0;
  constexpr int kDraws = 2000;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Draw drawn = DrawCounts(shares, kTauSquared, kSigma, random);
    expected += ExpectedGain({drawn.noisy, kSigma * kSigma, shares, kTotal}, kSigma * kSigma) / kDraws;
    for (std::size_t cell = 0; cell < shares.size(); ++cell) {
      const double prior = kTauSquared * shares[cell];
      const double weight = prior / (prior + kSigma * kSigma);
      const double guess = kTotal * shares[cell] + weight * (drawn.noisy[cell] - kTotal * shares[cell]);
      gained += (std::abs(drawn.truth[cell] - kTotal * shares[cell]) - std::abs(drawn.truth[cell] - guess)) / kDraws;
    }
  }
  EXPECT_NEAR(expected / gained, 0.91, 0.03);
}

TEST(ExpectedGain, IsNothingWhereTheModelIsRightAndLessWhereTheEndIsNoisier) {
  const std::vector<double> shares = UnevenShares(20);
  std::vector<double> counts;
  for (const double share : shares) counts.push_back(kTotal * share);
  EXPECT_EQ(ExpectedGain({counts, 100, shares, kTotal}, 50), 0);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) counts[cell] += cell % 2 == 0 ? 300 : -300;
  const PairSeen seen{counts, 100, shares, kTotal};
  EXPECT_GT(ExpectedGain(seen, 50), ExpectedGain(seen, 500));
  EXPECT_GT(ExpectedGain(seen, 500), 0);
}

}  // namespace
}  // namespace flaim
