#include "algorithms/bins/binning.h"

#include <algorithm>
#include <cmath>

#include "algorithms/bins/levels_in_bins.h"
#include "algorithms/bins/nearest_shares.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> RandomShares(std::size_t values, RandomSource& random) {
  std::vector<double> shares(values);
  double sum = 0;
  for (double& share : shares) sum += share = std::pow(random.NextUnit(), 4);
  for (double& share : shares) share /= sum;
  return shares;
}

double SquaredDistance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

TEST(NearestShares, AreADistributionAndLeaveOneAlone) {
  EXPECT_THAT(NearestShares(std::vector<double>{0.2, 0.5, 0.3}), Pointwise(DoubleNear(1e-15), {0.2, 0.5, 0.3}));
  EXPECT_THAT(NearestShares(std::vector<double>{0.9, -0.4, 0.5}), Pointwise(DoubleNear(1e-15), {0.7, 0.0, 0.3}));
  EXPECT_THAT(NearestShares(std::vector<double>{-7}), ElementsAre(1));
}

// No small move of mass from one cell to another comes nearer: the condition of optimality.
TEST(NearestShares, AreNearest) {
  SeededRandomSource random(1, "noisy shares");
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> noisy = RandomShares(2 + random.NextBelow(30), random);
    for (double& share : noisy) share += 0.6 * (random.NextUnit() - 0.5);
    const std::vector<double> nearest = NearestShares(noisy);
    double sum = 0;
    for (const double share : nearest) sum += share;
    ASSERT_NEAR(sum, 1, 1e-12);
    ASSERT_GE(*std::ranges::min_element(nearest), 0);
    for (int move = 0; move < 40; ++move) {
      std::vector<double> moved = nearest;
      const std::size_t from = random.NextBelow(moved.size());
      const std::size_t to = random.NextBelow(moved.size());
      const double mass = moved[from] * random.NextUnit();
      moved[from] -= mass;
      moved[to] += mass;
      EXPECT_GE(SquaredDistance(moved, noisy), SquaredDistance(nearest, noisy) * (1 - 1e-12));
    }
  }
}

TEST(JoinNeighbours, FillsBinsAndKeepsHeavyValuesAlone) {
  EXPECT_THAT(JoinNeighbours(std::vector<double>{0.1, 0.1, 0.1, 0.5, 0.1, 0.1}, 0.2), ElementsAre(0, 0, 1, 2, 3, 3));
  EXPECT_THAT(JoinNeighbours(std::vector<double>{0.3, 0.3, 0.3, 0.1}, 0.2), ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(JoinNeighbours(std::vector<double>{0.1, 0.1}, 0.5), ElementsAre(0, 0));
  EXPECT_THAT(JoinNeighbours(std::vector<double>{0.5, 0.5}, 0.0), ElementsAre(0, 1));
}

TEST(JoinRare, PutsWhatHoldsLittleIntoTheLastBin) {
  EXPECT_THAT(JoinRare(std::vector<double>{0.1, 0.5, 0.1, 0.3}, 0.2), ElementsAre(2, 0, 2, 1));
  EXPECT_THAT(JoinRare(std::vector<double>{0.5, 0.5}, 0.2), ElementsAre(0, 1));
  EXPECT_THAT(JoinRare(std::vector<double>{0.5, 0.5}, 0.7), ElementsAre(0, 0));
}

TEST(MakeBins, LeavesFewerBinsThanTheNoiseCanCarryAndOrderedOnesInOnePiece) {
  SeededRandomSource random(2, "shares");
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Attribute> attributes;
    std::vector<std::vector<double>> shares;
    std::vector<bool> is_ordered;
    for (int attribute = 0; attribute < 3; ++attribute) {
      attributes.push_back(
          {std::string(1, static_cast<char>('a' + attribute)), 1 + static_cast<std::int64_t>(random.NextBelow(300))});
      shares.push_back(RandomShares(static_cast<std::size_t>(attributes.back().size), random));
      is_ordered.push_back(random.NextBelow(2) == 0);
    }
    const Domain domain = Domain::Create(attributes).value();
    const double least = std::pow(10, -3 * random.NextUnit());
    const Bins bins = MakeBins(domain, is_ordered, shares, least);
    for (AttributeIndex attribute = 0; attribute < 3; ++attribute) {
      const auto index = static_cast<std::size_t>(attribute);
      EXPECT_LE(static_cast<double>(bins.bins()[attribute].size), 2 / least + 1);
      if (!is_ordered[index]) continue;
      for (std::uint32_t value = 1; value < shares[index].size(); ++value) {
        const std::uint32_t before = bins.BinOf(attribute, value - 1);
        const std::uint32_t bin = bins.BinOf(attribute, value);
        EXPECT_TRUE(bin == before || bin == before + 1);
        if (shares[index][value] >= least && shares[index][value - 1] >= least) {
          EXPECT_NE(bin, before);
        }
      }
    }
  }
}

// Against the integral, by the midpoint rule.
TEST(PosteriorMeanOfCount, IsTheMeanOfTheDensity) {
  for (const double noisy : {-80.0, -10.0, -1.0, 0.0, 3.0, 40.0}) {
    for (const double sigma : {0.5, 5.0, 20.0}) {
      for (const double prior_mean : {0.2, 3.0, 100.0}) {
        const double centre = noisy - sigma * sigma / prior_mean;
        const double peak = std::max(centre, 0.0);
        const auto exponent = [&](double x) { return -(x - centre) * (x - centre) / (2 * sigma * sigma); };
        // Where the density has fallen to e^-40 of its largest.
        const double reach = std::min(40 * sigma * sigma / std::max(peak - centre, 1e-9), 9 * sigma) + peak;
        double mass = 0;
        double mean = 0;
        constexpr int kSteps = 400'000;
        for (int step = 0; step < kSteps; ++step) {
          const double x = reach * (step + 0.5) / kSteps;
          const double density = std::exp(exponent(x) - exponent(peak));
          mass += density;
          mean += density * x;
        }
        EXPECT_NEAR(PosteriorMeanOfCount(noisy, sigma, prior_mean) / (mean / mass), 1, 1e-3)
            << noisy << " " << sigma << " " << prior_mean;
      }
    }
  }
}

TEST(LevelsInBins, FollowTheCountsAndNeverForbidAValue) {
  const Domain domain = Domain::Create({{"a", 6}, {"b", 2}}).value();
  const Bins bins = Bins::Create(domain, {{0, 0, 0, 1, 1, 2}, {}}).value();
  const Levels levels = LevelsInBins(bins, {{300, 100, -25, 0, 0, 600}, {500, 500}}, {10, 10}, 1000);
  EXPECT_NEAR(levels.Share(0, 0), 0.97 * 0.75 + 0.03 * 0.75, 0.01);
  EXPECT_NEAR(levels.Share(0, 1), 0.25, 0.01);
  EXPECT_GT(levels.Share(0, 2), 0);
  EXPECT_LT(levels.Share(0, 2), 0.01);
  EXPECT_DOUBLE_EQ(levels.Share(0, 3), 0.5);
  EXPECT_EQ(levels.Share(0, 5), 1);
  EXPECT_EQ(levels.Share(1, 1), 1);
}

}  // namespace
}  // namespace flaim
