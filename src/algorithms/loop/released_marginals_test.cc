#include "algorithms/loop/released_marginals.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "algorithms/loop/sample_testing.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::Pointwise;
using ::testing::SizeIs;

ReleasedMarginal Released(const Clique& clique, std::vector<double> values, double variance, const Group& group,
                          Contributors contributors = Contributors::kEverybody) {
  ReleasedMarginal released;
  released.measured = {clique, std::move(values), variance};
  released.group = group;
  released.contributors = contributors;
  return released;
}

Group RoundOf(std::int64_t round, std::int64_t members) { return {.round = round, .members = members}; }

// What a group is asked for: a marginal of so many cells, under so much noise.
struct Asked {
  Group group;
  Clique clique;
  std::size_t cells;
  double variance;
};

// Groups of different sizes, marginals of different sizes, and different noise.
const std::vector<Asked> kAsked = {{RoundOf(1, 5), Clique({0}), 2, 400},
                                   {RoundOf(1, 5), Clique({1}), 10, 900},
                                   {RoundOf(2, 50), Clique({0}), 2, 400},
                                   {RoundOf(2, 50), Clique({0, 1}), 20, 2500},
                                   {RoundOf(3, 20), Clique({0, 1}), 20, 25}};
constexpr double kRowsPerClient = 7;

// Counts of clients that have kRowsPerClient rows each, under normal noise.
ReleasedMarginals Simulate(const std::vector<Asked>& asked, RandomSource& random) {
  ReleasedMarginals released(100);
  for (const Asked& one : asked) {
    const double rows = kRowsPerClient * static_cast<double>(one.group.members);
    std::vector<double> values;
    for (std::size_t cell = 0; cell < one.cells; ++cell) {
      values.push_back(rows / static_cast<double>(one.cells) + std::sqrt(one.variance) * NextNormal(random));
    }
    released.Add(Released(one.clique, values, one.variance, one.group));
  }
  return released;
}

// The variance of least squares: 1 / sum of members^2 / (cells * variance). Any other weights of the sums would have a
// larger one.
TEST(RowsPerClient, AreRightOnAverageAndAsPreciseAsLeastSquares) {
  SeededRandomSource random(1, "rows");
  double precision = 0;
  for (const Asked& one : kAsked) {
    precision += std::pow(static_cast<double>(one.group.members), 2) / (static_cast<double>(one.cells) * one.variance);
  }
  Sample estimates;
  Sample squares;
  Sample totals;
  for (int run = 0; run < 40'000; ++run) {
    const ReleasedMarginals released = Simulate(kAsked, random);
    estimates.Add(released.RowsPerClient());
    squares.Add(std::pow(released.RowsPerClient() - kRowsPerClient, 2) * precision);
    totals.Add(released.Total());
  }
  ExpectMean(estimates, kRowsPerClient, 0.07);
  ExpectMean(squares, 1, 0.08);
  ExpectMean(totals, 100 * kRowsPerClient, 7);
}

TEST(RowsPerClient, AreWhereTheWeightedSquaresAreLeast) {
  SeededRandomSource random(2, "rows");
  std::vector<double> sums;
  ReleasedMarginals released(100);
  for (const Asked& one : kAsked) {
    sums.push_back(100 * random.NextUnit());
    std::vector<double> values(one.cells, 0);
    values.back() = sums.back();
    released.Add(Released(one.clique, values, one.variance, one.group));
  }
  const auto squares = [&](double rows_per_client) {
    double all = 0;
    for (std::size_t i = 0; i < kAsked.size(); ++i) {
      const double expected = rows_per_client * static_cast<double>(kAsked[i].group.members);
      all += std::pow(sums[i] - expected, 2) / (static_cast<double>(kAsked[i].cells) * kAsked[i].variance);
    }
    return all;
  };
  const double least = squares(released.RowsPerClient());
  for (const double move : {-1.0, -0.01, -0.0001, 0.0001, 0.01, 1.0}) {
    EXPECT_GT(squares(released.RowsPerClient() + move), least);
  }
}

TEST(RowsPerClient, AreAtLeastOneRowOfAll) {
  ReleasedMarginals released(40);
  EXPECT_EQ(released.RowsPerClient(), 1.0 / 40);
  EXPECT_EQ(released.Total(), 1);
  released.Add(Released(Clique({0}), {-30, 10}, 100, RoundOf(1, 10)));
  EXPECT_EQ(released.RowsPerClient(), 1.0 / 40);
}

// Who chose is not the whole group, and how many did is not known.
TEST(RowsPerClient, LearnNothingFromThoseWhoChose) {
  ReleasedMarginals released(40);
  released.Add(Released(Clique({0}), {60, 40}, 100, RoundOf(1, 10)));
  released.Add(Released(Clique({0}), {1000, 1000}, 1, RoundOf(1, 10), Contributors::kChoosers));
  EXPECT_DOUBLE_EQ(released.RowsPerClient(), 10);
  EXPECT_DOUBLE_EQ(released.RowsOf(RoundOf(1, 10)), 100);
}

// Weighed by the inverse of cells * variance: round 1 measured 2 cells at 400 and 10 cells at 900.
TEST(RowsOfAGroup, AreTheInverseVarianceMeanOfItsOneWays) {
  SeededRandomSource random(3, "rows");
  const double precision = 1.0 / 800 + 1.0 / 9000;
  Sample estimates;
  Sample squares;
  for (int run = 0; run < 40'000; ++run) {
    const double rows = Simulate(kAsked, random).RowsOf(RoundOf(1, 5));
    estimates.Add(rows);
    // Not what it is cut off at.
    if (rows > 1) squares.Add(std::pow(rows - 35, 2) * precision);
  }
  // A normal value of mean 35 and this deviation, cut off at 1.
  const double deviation = std::sqrt(1 / precision);
  const double below = (1 - 35) / deviation;
  const double density = std::exp(-below * below / 2) / std::sqrt(2 * std::numbers::pi);
  const double cut = std::erfc(-below / std::sqrt(2)) / 2;
  ExpectMean(estimates, cut + 35 * (1 - cut) + deviation * density, 2);
  EXPECT_LT(squares.mean(), 1.05);

  ReleasedMarginals released(10);
  released.Add(Released(Clique({0}), {30, 30}, 400, RoundOf(1, 5)));
  released.Add(Released(Clique({1}), std::vector<double>(10, 10), 900, RoundOf(1, 5)));
  EXPECT_NEAR(released.RowsOf(RoundOf(1, 5)), (60.0 / 800 + 100.0 / 9000) / precision, 1e-9);
}

TEST(RowsOfAGroup, WithoutOneWaysGoByItsMembers) {
  ReleasedMarginals released(100);
  released.Add(Released(Clique({0}), {300, 100}, 100, RoundOf(1, 50)));
  released.Add(Released(Clique({0, 1}), {10, 10, 10, 50}, 50, RoundOf(2, 10)));
  EXPECT_DOUBLE_EQ(released.RowsOf(RoundOf(1, 50)), 400);
  EXPECT_DOUBLE_EQ(released.RowsOf(RoundOf(2, 10)), released.RowsPerClient() * 10);
  EXPECT_DOUBLE_EQ(released.RowsOf(RoundOf(7, 25)), released.RowsPerClient() * 25);
}

// Of ten, two dropped out of the second sum and one of the third: the others have as many rows each.
TEST(RowsOfAGroup, AreThoseOfWhoIsInTheSum) {
  ReleasedMarginals released(100);
  const auto sum_of = [](double rows, std::int64_t contributors) {
    NoisyMarginals noisy;
    noisy.marginals = {{.clique = Clique({0}), .counts = {std::lround(rows), 0}}};
    noisy.variance = 9;
    noisy.contributors = contributors;
    return ReleasedOf(noisy, RoundOf(1, 10), Contributors::kEverybody).front();
  };
  released.Add(sum_of(1000, 10));
  released.Add(sum_of(800, 8));
  released.Add(sum_of(900, 9));
  EXPECT_DOUBLE_EQ(released.RowsPerClient(), 100);
  EXPECT_DOUBLE_EQ(released.RowsOf(RoundOf(1, 10)), 1000);
  EXPECT_DOUBLE_EQ(released.RowsOf(RoundOf(1, 8)), 800);
  EXPECT_EQ(released.Latest(Clique({0})).group.members, 9);
  for (const Measurement& scaled : released.Weighted(Weighting::kNoisySizes, 10'000)) {
    EXPECT_NEAR(scaled.values[0], 10'000, 1e-6);
  }
}

TEST(RowsOfAGroup, AreAtLeastOne) {
  ReleasedMarginals released(100);
  released.Add(Released(Clique({0}), {-300, 100}, 100, RoundOf(1, 50)));
  EXPECT_EQ(released.RowsOf(RoundOf(1, 50)), 1);
}

// Five attributes, of which the first two differ from group to group. The rows of a group are estimated from the same
// sums, so that its shares are a little less noisy than assumed.
TEST(BetweenGroups, AreTheVarianceOfWhatDiffersAndHardlyAnyOfTheRest) {
  SeededRandomSource random(4, "groups");
  constexpr int kGroups = 8;
  constexpr int kAttributes = 5;
  constexpr double kNoise = 20;
  Sample large;
  Sample small;
  Sample none;
  for (int run = 0; run < 15'000; ++run) {
    ReleasedMarginals released(800);
    for (int round = 1; round <= kGroups; ++round) {
      const double rows = 500 + 250 * round;
      for (AttributeIndex attribute = 0; attribute < kAttributes; ++attribute) {
        const double sd = attribute == 0 ? 0.1 : attribute == 1 ? 0.05 : 0;
        const double move = sd * NextNormal(random);  // of rows from one cell to another
        std::vector<double> values = {rows * (0.3 + move), rows * (0.3 - move), rows * 0.2, rows * 0.2};
        for (double& value : values) value += kNoise * NextNormal(random);
        released.Add(Released(Clique({attribute}), values, kNoise * kNoise, RoundOf(round, 100)));
      }
    }
    const std::map<AttributeIndex, double> between = released.BetweenGroups();
    ASSERT_THAT(between, SizeIs(kAttributes));
    large.Add(between.at(0));
    small.Add(between.at(1));
    none.Add(between.at(4));
  }
  EXPECT_NEAR(large.mean(), 2 * 0.01, 0.02 * 2 * 0.01);
  EXPECT_NEAR(small.mean(), 2 * 0.0025, 0.03 * 2 * 0.0025);
  EXPECT_LT(none.mean(), 0.03 * 2 * 0.0025);
}

TEST(BetweenGroups, AreKnownOfWhatWasMeasuredAndOfNothingElse) {
  ReleasedMarginals released(20);
  EXPECT_THAT(released.BetweenGroups(), IsEmpty());
  released.Add(Released(Clique({3}), {80, 20}, 1, RoundOf(1, 10)));
  released.Add(Released(Clique({1, 3}), {40, 10, 40, 10}, 1, RoundOf(1, 10)));
  EXPECT_THAT(released.BetweenGroups(), ElementsAre(Pair(3, 0)));
}

TEST(BetweenGroups, OfALargerMarginalAreTheLeastOfItsAttributes) {
  const std::map<AttributeIndex, double> between = {{0, 0.3}, {1, 0.1}, {2, 0.2}};
  EXPECT_EQ(BetweenGroupsOf(Clique({0}), between), 0.3);
  EXPECT_EQ(BetweenGroupsOf(Clique({0, 2}), between), 0.2);
  EXPECT_EQ(BetweenGroupsOf(Clique({0, 1, 2}), between), 0.1);
  EXPECT_EQ(BetweenGroupsOf(Clique({0, 7}), between), 0) << "nothing is known of the attribute";
}

// Rows per client 10; round 1 has 100 rows of 400, by its one-ways.
ReleasedMarginals SmallRun() {
  ReleasedMarginals released(40);
  released.Add(Released(Clique({0}), {75, 25}, 2, RoundOf(1, 10)));
  return released;
}

TEST(WeightedBySize, ScalesAGroupToAllAndItsNoiseWithIt) {
  const ReleasedMarginals released = SmallRun();
  EXPECT_THAT(released.Weighted(Weighting::kNoisySizes, 400),
              ElementsAre(Measurement{Clique({0}), {300, 100}, 2 * 16}));
}

TEST(WeightedBySize, LeavesTheNoiseAloneWhereAllCountTheSame) {
  const ReleasedMarginals released = SmallRun();
  EXPECT_THAT(released.Weighted(Weighting::kInverseSigma, 400), ElementsAre(Measurement{Clique({0}), {300, 100}, 2}));
}

// Between one client and the whole group, whatever noise says.
TEST(WeightedBySize, TakesChoosersForAsManyAsTheirSumSaysWithinTheGroup) {
  const std::vector<std::pair<double, double>> rows_by_sum = {{50, 50}, {100, 100}, {130, 100},
                                                              {10, 10}, {4, 10},    {-60, 10}};
  for (const auto& [sum, rows] : rows_by_sum) {
    ReleasedMarginals released = SmallRun();
    released.Add(Released(Clique({0, 1}), {sum, 0, 0, 0}, 3, RoundOf(1, 10), Contributors::kChoosers));
    const std::vector<Measurement> weighted = released.Weighted(Weighting::kNoisySizes, 400);
    ASSERT_THAT(weighted, SizeIs(2));
    const double scale = 400 / rows;
    EXPECT_THAT(weighted[1].values, Pointwise(DoubleNear(1e-9), std::vector<double>{sum * scale, 0, 0, 0})) << sum;
    EXPECT_NEAR(weighted[1].variance, 3 * scale * scale, 1e-9) << sum;
  }
}

// A group that is smaller than a client is on average has no more rows than it has.
TEST(WeightedBySize, TakesNoMoreRowsThanASmallGroupHas) {
  ReleasedMarginals released(40);
  released.Add(Released(Clique({0}), {7500, 2500}, 1, RoundOf(1, 30)));
  released.Add(Released(Clique({0}), {3, 2}, 1, RoundOf(2, 1)));
  released.Add(Released(Clique({0, 1}), {1, 0, 0, 0}, 1, RoundOf(2, 1), Contributors::kChoosers));
  ASSERT_GT(released.RowsPerClient(), 5);
  const std::vector<Measurement> weighted = released.Weighted(Weighting::kNoisySizes, 400);
  EXPECT_DOUBLE_EQ(weighted[2].variance, 80.0 * 80);
}

TEST(Weighted, AsMeasuredWhereAllAreOfTheSameRows) {
  ReleasedMarginals released = SmallRun();
  released.Add(Released(Clique({0, 1}), {1, 2, 3, 4}, 7, RoundOf(2, 10)));
  EXPECT_THAT(released.Weighted(Weighting::kSameRows, 400),
              ElementsAre(Measurement{Clique({0}), {75, 25}, 2}, Measurement{Clique({0, 1}), {1, 2, 3, 4}, 7}));
}

// Each marginal once, pooled over the groups with the variance of a cell between them.
TEST(WeightedByHeterogeneity, PoolsTheGroupsOfEachMarginal) {
  ReleasedMarginals released(40);
  const std::vector<ReleasedMarginal> parts = {Released(Clique({0}), {75, 25}, 4, RoundOf(1, 10)),
                                               Released(Clique({0}), {20, 60}, 4, RoundOf(2, 10)),
                                               Released(Clique({1}), {60, 40}, 4, RoundOf(1, 10)),
                                               Released(Clique({1}), {20, 60}, 4, RoundOf(2, 10)),
                                               Released(Clique({0, 1}), {40, 35, 20, 5}, 9, RoundOf(1, 10)),
                                               Released(Clique({0, 1}), {5, 15, 15, 45}, 9, RoundOf(2, 10))};
  for (const ReleasedMarginal& part : parts) released.Add(part);
  const std::map<AttributeIndex, double> between = released.BetweenGroups();
  ASSERT_GT(between.at(0), between.at(1));
  ASSERT_GT(between.at(1), 0);
  const double share_of_one = released.RowsOf(RoundOf(1, 10)) / released.Total();
  const double share_of_other = released.RowsOf(RoundOf(2, 10)) / released.Total();
  const auto pooled = [&](std::size_t first, double h) {
    const Groups groups = {{&parts[first].measured, released.RowsOf(RoundOf(1, 10)), share_of_one},
                           {&parts[first + 1].measured, released.RowsOf(RoundOf(2, 10)), share_of_other}};
    return Pool(parts[first].measured.clique, groups, h, 360);
  };
  EXPECT_THAT(released.Weighted(Weighting::kHeterogeneity, 360),
              ElementsAre(pooled(0, between.at(0) / 2), pooled(4, between.at(1) / 4), pooled(2, between.at(1) / 2)));
}

// What a run does with no more than it knows: rows, shares of the population and variances are estimates. The squared
// errors are still about what is said, for a marginal that differs between groups and for one that does not.
TEST(WeightedByHeterogeneity, ErrsByAboutAsMuchAsItSays) {
  SeededRandomSource random(5, "groups");
  constexpr int kMeasuring = 6;
  constexpr int kGroups = 10;  // the others have not come yet
  Sample differing;
  Sample alike;
  for (int run = 0; run < 15'000; ++run) {
    ReleasedMarginals released(kGroups * 100);
    double moved = 0;
    for (int round = 1; round <= kGroups; ++round) {
      const double move = 50 * NextNormal(random);
      moved += move;
      if (round > kMeasuring) continue;
      for (AttributeIndex attribute = 0; attribute < 4; ++attribute) {
        std::vector<double> values = {250, 250, 250, 250};
        if (attribute == 0) values = {250 + move, 250 - move, 250, 250};
        for (double& value : values) value += 20 * NextNormal(random);
        released.Add(Released(Clique({attribute}), values, 400, RoundOf(round, 100)));
      }
    }
    const std::vector<Measurement> pooled = released.Weighted(Weighting::kHeterogeneity, kGroups * 1000);
    const auto squared_error = [&](const Measurement& measured, const std::vector<double>& truth) {
      double squares = 0;
      for (std::size_t cell = 0; cell < truth.size(); ++cell)
        squares += std::pow(measured.values[cell] - truth[cell], 2);
      return squares / static_cast<double>(truth.size()) / measured.variance;
    };
    differing.Add(squared_error(pooled[0], {2500 + moved, 2500 - moved, 2500, 2500}));
    alike.Add(squared_error(pooled[1], {2500, 2500, 2500, 2500}));
  }
  EXPECT_NEAR(differing.mean(), 1, 0.15);
  EXPECT_NEAR(alike.mean(), 1, 0.15);
}

}  // namespace
}  // namespace flaim
