#include "algorithms/selection/watched_pair.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include "algorithms/loop/sample_testing.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// Pairs as the selection assumes them: the rows differ from what the model's shares expect by N(0, tau^2 m_c), and the
// noise of the sum comes on top.
struct Assumed {
  std::vector<double> shares;
  double rows = 0;
  double tau = 0;
  double sigma = 1;

  // What the estimate takes off tau^2 for doubt.
  double Doubt() const {
    double squares = 0;
    for (const double share : shares) squares += share * share;
    return 2 * sigma * sigma * std::sqrt(2 / squares);
  }
  double Spread() const {
    double spread = 0;
    for (const double share : shares) spread += std::sqrt(share);
    return spread;
  }
};

struct Drawn {
  WatchedPair pair;
  double error = 0;  // the L1 distance of the rows from what the model expects
};

Drawn Draw(const Assumed& assumed, RandomSource& random) {
  Drawn drawn;
  drawn.pair.rows = assumed.rows;
  drawn.pair.variance = assumed.sigma * assumed.sigma;
  for (const double share : assumed.shares) {
    const double residual = assumed.tau * std::sqrt(share) * NextNormal(random);
    drawn.error += std::abs(residual);
    drawn.pair.sum.push_back(assumed.rows * share + residual + assumed.sigma * NextNormal(random));
  }
  return drawn;
}

// Most cells are nearly empty: shares that fall like a geometric series, `ratio` from cell to cell.
std::vector<double> Falling(std::size_t cells, double ratio) {
  std::vector<double> shares;
  for (std::size_t cell = 0; cell < cells; ++cell) shares.push_back(std::pow(ratio, static_cast<double>(cell)));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

double TauSquaredBehind(double error, const Assumed& assumed) {
  return std::pow(error / assumed.Spread(), 2) * std::numbers::pi / 2;
}

// tau^2, less the doubt: the errors are so large that the estimate is never cut off.
TEST(EstimatedError, FindsTauWhateverTheShares) {
  SeededRandomSource random(1, "pairs");
  for (const std::vector<double>& shares : {Falling(40, 1), Falling(40, 0.9), Falling(200, 0.95)}) {
    const Assumed assumed{shares, 1e6, 3000, 150};
    Sample estimates;
    for (int run = 0; run < 20'000; ++run) {
      const double error = EstimatedError(Draw(assumed, random).pair, shares);
      ASSERT_GT(error, 0);
      estimates.Add(TauSquaredBehind(error, assumed) + assumed.Doubt());
    }
    ExpectMean(estimates, 9e6, 0.04 * 9e6);
  }
}

TEST(EstimatedError, IsTheDistanceOfTheRowsWhereNoiseIsSmall) {
  SeededRandomSource random(2, "pairs");
  const Assumed assumed{Falling(400, 0.99), 1e6, 1000, 1};
  Sample estimates;
  Sample errors;
  for (int run = 0; run < 2000; ++run) {
    const Drawn drawn = Draw(assumed, random);
    estimates.Add(EstimatedError(drawn.pair, assumed.shares));
    errors.Add(drawn.error);
  }
  EXPECT_NEAR(estimates.mean(), errors.mean(), 0.01 * errors.mean());
}

// Noise passes for an error when its squares, as a chi-squared variable of n degrees of freedom, exceed n by two of
// their standard deviations: n + 2 sqrt(2 n). That is 4.7 % of the time for 4 cells, and tends to 2.3 %.
TEST(EstimatedError, OfNothingButNoiseIsNothingAsOftenAsTwoStandardDeviationsPromise) {
  SeededRandomSource random(3, "pairs");
  for (const int cells : {4, 16, 64}) {
    const Assumed assumed{Falling(cells, 1), 10'000, 0, 50};
    Sample is_something;
    for (int run = 0; run < 20'000; ++run) {
      is_something.Add(EstimatedError(Draw(assumed, random).pair, assumed.shares) > 0 ? 1 : 0);
    }
    ExpectMean(is_something, ChiSquaredTail(cells / 2, cells + 2 * std::sqrt(2.0 * cells)), 0.02);
  }
}

// Cells count by their shares: noise in a hundred cells that are all but empty is not seen.
TEST(EstimatedError, SeesTheFullCellsThroughTheNoiseOfTheEmptyOnes) {
  SeededRandomSource random(4, "pairs");
  Assumed assumed{Falling(104, 0.25), 10'000, 500, 50};
  Sample found;
  for (int run = 0; run < 2000; ++run) {
    found.Add(EstimatedError(Draw(assumed, random).pair, assumed.shares) > 0 ? 1 : 0);
  }
  EXPECT_GT(found.mean(), 0.75);
}

TEST(EstimatedError, IsLessByWhatFewGroupsMayDifferBy) {
  SeededRandomSource random(5, "pairs");
  const Assumed assumed{Falling(40, 0.9), 10'000, 400, 10};
  WatchedPair pair = Draw(assumed, random).pair;
  const double before = TauSquaredBehind(EstimatedError(pair, assumed.shares), assumed);
  pair.sampling_variance = 0.0005;
  const double after = TauSquaredBehind(EstimatedError(pair, assumed.shares), assumed);
  EXPECT_NEAR(before - after, 0.0005 * 1e8, 1e-6);
  pair.sampling_variance = 0.01;
  EXPECT_EQ(EstimatedError(pair, assumed.shares), 0);
}

// No two tables of n rows are further apart than 2 n.
TEST(EstimatedError, IsNeverMoreThanTwiceTheRows) {
  WatchedPair pair;
  pair.rows = 100;
  pair.variance = 1;
  pair.sum = {100, 0, 0, 0};
  const std::vector<double> shares = {1e-6, 0.3, 0.3, 0.4 - 1e-6};
  pair.sum[1] = 5000;
  EXPECT_EQ(EstimatedError(pair, shares), 200);
}

// Groups that watched, of a plan: only their number matters.
WatchedPair WatchedBy(std::size_t groups, double variance_of_group = 1) {
  WatchedPair pair;
  pair.query = {Clique({0, 1}), 1};
  pair.parts.resize(groups, nullptr);
  pair.variance = variance_of_group * static_cast<double>(groups);
  return pair;
}

// The mean of groups that were drawn without replacement, against that of all: S^2 (1 / groups - 1 / rounds).
TEST(SamplingVariance, IsThatOfTheMeanOfSomeGroupsAgainstThatOfAll) {
  SeededRandomSource random(6, "groups");
  constexpr int kRounds = 10;
  constexpr std::size_t kWatching = 3;
  Sample squares;
  for (int run = 0; run < 60'000; ++run) {
    double all = 0;
    double watching = 0;
    for (std::size_t group = 0; group < kRounds; ++group) {
      const double share = 0.1 * NextNormal(random);
      all += share / kRounds;
      if (group < kWatching) watching += share / kWatching;
    }
    squares.Add((watching - all) * (watching - all));
  }
  const double variance = SamplingVariance(WatchedBy(kWatching), {.rounds = kRounds}, {{0, 0.01}, {1, 0.04}});
  ExpectMean(squares, variance / kHeterogeneityOfPairs, 0.1 * squares.mean());
}

TEST(SamplingVariance, IsNothingOnceAllGroupsHaveWatched) {
  EXPECT_EQ(SamplingVariance(WatchedBy(4), {.rounds = 4}, {{0, 0.01}, {1, 0.04}}), 0);
  EXPECT_EQ(SamplingVariance(WatchedBy(5), {.rounds = 4}, {{0, 0.01}, {1, 0.04}}), 0);
  EXPECT_EQ(SamplingVariance(WatchedBy(2), {.rounds = 4}, {}), 0);
}

TEST(NoiseOfPairAtTheEnd, IsThatOfTheSumOnceAllGroupsHaveWatched) {
  EXPECT_DOUBLE_EQ(NoiseOfPairAtTheEnd(WatchedBy(4, 9), 30, {.rounds = 4, .marginals = 15}), 6);
}

// Two groups watched 30 pairs at variance 9 each; eight more measure 15, so at half of it. The inverse-variance mean of
// a group, taken twice because two watched.
TEST(NoiseOfPairAtTheEnd, IsThatOfTheBestMeanOfAllGroups) {
  SeededRandomSource random(7, "groups");
  Sample squares;
  for (int run = 0; run < 40'000; ++run) {
    double weighted = 0;
    double weight = 0;
    for (int group = 0; group < 10; ++group) {
      const double variance = group < 2 ? 9 : 4.5;
      weighted += std::sqrt(variance) * NextNormal(random) / variance;
      weight += 1 / variance;
    }
    squares.Add(std::pow(2 * weighted / weight, 2));
  }
  const double noise = NoiseOfPairAtTheEnd(WatchedBy(2, 9), 30, {.rounds = 10, .marginals = 15});
  ExpectMean(squares, noise * noise, 0.1 * squares.mean());
  EXPECT_NEAR(noise, 2 / std::sqrt(2 / 9.0 + 8 / 4.5), 1e-12);
}

}  // namespace
}  // namespace flaim
