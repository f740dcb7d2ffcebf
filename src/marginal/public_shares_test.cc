#include "marginal/public_shares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "marginal/kernels/count.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;
using testing_tables::RandomClique;
using testing_tables::RandomRows;
using testing_tables::TableOf;
using Shares = std::vector<double>;
using Units = std::vector<std::uint32_t>;

constexpr std::int64_t kUnit = PublicShares::kUnit;

Units UnitsOf(const PublicShares& shares) { return {shares.units().begin(), shares.units().end()}; }

// Sums far from one, zeros, and shares many orders of magnitude apart.
Shares RandomShares(std::size_t cells, RandomSource& random) {
  Shares shares(cells);
  const double scale = std::pow(10, random.NextUnit() * 20 - 10);
  const double spread = random.NextUnit() * 12;
  for (double& share : shares) {
    share = random.NextBelow(4) == 0 ? 0 : scale * std::pow(10, -spread * random.NextUnit());
  }
  shares[random.NextBelow(cells)] += scale;
  return shares;
}

PublicShares RandomSharesOf(const Domain& domain, const Clique& clique, RandomSource& random) {
  return PublicShares(RandomShares(static_cast<std::size_t>(CellCount(domain, clique).value()), random));
}

TEST(PublicShares, AreTakenRelativeToTheirSum) {
  EXPECT_EQ(UnitsOf(PublicShares(Shares{1, 3, 0})), (Units{kUnit / 4, kUnit / 4 * 3, 0}));
  EXPECT_EQ(UnitsOf(PublicShares(Shares{1e-300})), (Units{kUnit}));
  EXPECT_EQ(PublicShares(Shares{1, 10}).total(), kUnit - 1) << "each is rounded down";
}

TEST(PublicShares, NeverAddUpToMoreThanOneAndAreWithinOneUnitOfWhatWasGiven) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Shares given = RandomShares(1 + random.NextBelow(300), random);
    const PublicShares shares(given);
    ASSERT_LE(shares.total(), kUnit);
    ASSERT_EQ(shares.total(), std::accumulate(shares.units().begin(), shares.units().end(), std::int64_t{0}));
    const long double sum = std::accumulate(given.begin(), given.end(), 0.0L);
    for (std::size_t cell = 0; cell < given.size(); ++cell) {
      const long double exact = given[cell] / sum * kUnit;
      // Doubles near kUnit have a resolution of 5e-7; adding up hundreds of them costs as many roundings.
      ASSERT_NEAR(static_cast<double>(shares.units()[cell] - exact), -0.5, 0.5 + 1e-3);
    }
  }
}

// In doubles, 1/49 * 49 and its like come out on either side of one.
TEST(PublicShares, NeverAddUpToMoreThanOneForEqualCells) {
  for (std::size_t cells = 1; cells < 400; ++cells) {
    const PublicShares shares(Shares(cells, 1.0 / static_cast<double>(cells)));
    ASSERT_LE(shares.total(), kUnit) << cells;
    ASSERT_GE(shares.total(), kUnit - static_cast<std::int64_t>(cells)) << cells;
  }
}

TEST(PublicSharesDeathTest, RefuseWhatIsNoDistribution) {
  EXPECT_DEATH(PublicShares(Shares{}), "shares add up to");
  EXPECT_DEATH(PublicShares(Shares{0, 0}), "shares add up to");
  EXPECT_DEATH(PublicShares(Shares{2, -1}), "a share is");
  EXPECT_DEATH(PublicShares(Shares{1, std::numeric_limits<double>::quiet_NaN()}), "shares add up to");
  EXPECT_DEATH(PublicShares(Shares{1, std::numeric_limits<double>::infinity()}), "shares add up to");
}

TEST(ShareDistance, IsTheDistanceFromWhatTheSharesExpectOfAsManyRows) {
  const Domain domain = DomainOfSizes({2, 2});
  const Table table = TableOf(domain, {{0, 0}, {0, 0}, {0, 1}, {1, 1}});
  const PublicShares shares(Shares{1, 1, 1, 1});
  ShareDistanceMeter meter;
  EXPECT_EQ(meter.Measure(table, Clique({0, 1}), shares).units, 2 * kUnit);
  EXPECT_EQ(meter.Measure(table, Clique({0}), PublicShares(Shares{3, 1})).units, 0);
  EXPECT_EQ(meter.Measure(table, Clique({1}), PublicShares(Shares{1, 0})).units, 4 * kUnit);
  EXPECT_EQ(meter.Measure(table, Clique(), PublicShares(Shares{1})).units, 0);
}

// One meter for everything, so that what one call leaves behind would show in the next.
TEST(ShareDistanceMeter, EqualsItsDefinitionOverRandomTablesSlicesAndCliques) {
  SeededRandomSource random(2);
  ShareDistanceMeter meter;
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<std::int64_t> sizes;
    for (std::uint64_t columns = 1 + random.NextBelow(4); columns > 0; --columns) {
      sizes.push_back(1 + static_cast<std::int64_t>(random.NextBelow(random.NextBelow(10) == 0 ? 300 : 6)));
    }
    const Domain domain = DomainOfSizes(sizes);
    const std::size_t rows = random.NextBelow(40);
    const Table table = TableOf(domain, RandomRows(domain, rows, random));
    const std::size_t begin = random.NextBelow(rows + 1);
    const Table slice = table.Slice(begin, begin + random.NextBelow(rows - begin + 1));
    const Clique clique = RandomClique(domain, random);
    if (CellCount(domain, clique).value() > 100'000) continue;
    const PublicShares shares = RandomSharesOf(domain, clique, random);
    for (const Table& part : {table, slice}) {
      const ShareDistance distance = meter.Measure(part, clique, shares);
      ASSERT_EQ(distance, NaiveShareDistance(part, clique, shares)) << "trial " << trial;
      ASSERT_GE(distance.units, 0);
      ASSERT_LE(distance.units, 2 * static_cast<std::int64_t>(part.rows()) * kUnit);
    }
  }
}

TEST(ShareDistanceMeter, EqualsItsDefinitionAtTheEdges) {
  SeededRandomSource random(3);
  ShareDistanceMeter meter;
  const Domain domain = DomainOfSizes({1, 3, 1, 70'000});
  const Clique everything({0, 1, 2, 3});
  const PublicShares shares = RandomSharesOf(domain, everything, random);
  for (const std::size_t rows : {0U, 1U, 5000U}) {
    const Table table = TableOf(domain, RandomRows(domain, rows, random));
    EXPECT_EQ(meter.Measure(table, everything, shares), NaiveShareDistance(table, everything, shares)) << rows;
    EXPECT_EQ(meter.Measure(table, Clique({0}), PublicShares(Shares{0.3})).units, 0) << rows;
    EXPECT_EQ(meter.Measure(table, Clique({0, 2}), PublicShares(Shares{7})).units, 0) << rows;
  }
  const Table nobody = TableOf(domain, {});
  EXPECT_EQ(meter.Measure(nobody, everything, shares).units, 0) << "nobody is exactly as far as nobody is expected";
}

TEST(ShareDistanceMeterDeathTest, RefusesSharesOfAnotherMarginal) {
  const Table table = TableOf(DomainOfSizes({2, 3}), {{1, 2}});
  ShareDistanceMeter meter;
  EXPECT_DEATH(meter.Measure(table, Clique({0, 1}), PublicShares(Shares{1, 1})), "another marginal");
}

TEST(ShareDistanceOfCounts, EqualsTheDistanceOfTheCountedTable) {
  SeededRandomSource random(6);
  ShareDistanceMeter meter;
  for (int trial = 0; trial < 2000; ++trial) {
    const Domain domain = DomainOfSizes({1 + static_cast<std::int64_t>(random.NextBelow(40)), 3, 2});
    const Table table = TableOf(domain, RandomRows(domain, random.NextBelow(200), random));
    const Clique clique = RandomClique(domain, random);
    const PublicShares shares = RandomSharesOf(domain, clique, random);
    const Marginal counted = CountMarginal(table, clique).value();
    const ShareDistance distance = ShareDistanceOfCounts(counted.counts(), shares);
    ASSERT_EQ(distance, meter.Measure(table, clique, shares)) << "trial " << trial;
    ASSERT_EQ(distance, NaiveShareDistance(table, clique, shares)) << "trial " << trial;
  }
}

TEST(ShareDistanceOfCounts, DoesNotOverflowForTheMostRows) {
  const std::vector<std::int64_t> counts = {kMaxMeasuredRows, 0};
  EXPECT_EQ(ShareDistanceOfCounts(counts, PublicShares(Shares{0, 1})).units, 2 * kMaxMeasuredRows * kUnit);
  EXPECT_EQ(ShareDistanceOfCounts(counts, PublicShares(Shares{1, 0})).units, 0);
}

TEST(ShareDistanceOfCountsDeathTest, RefusesCountsOfAnotherMarginalNegativeOnesAndTooMany) {
  const PublicShares shares(Shares{1, 1});
  EXPECT_DEATH(ShareDistanceOfCounts(std::vector<std::int64_t>{1}, shares), "another marginal");
  EXPECT_DEATH(ShareDistanceOfCounts(std::vector<std::int64_t>{1, -1}, shares), "count >= 0");
  EXPECT_DEATH(ShareDistanceOfCounts(std::vector<std::int64_t>{kMaxMeasuredRows, 1}, shares), "kMaxMeasuredRows");
}

TEST(ShareDistance, IsScaledToScoreUnitsRoundedDown) {
  EXPECT_EQ(ShareDistance{kUnit}.Scaled(), ScaledDistance{kScoreScale});
  EXPECT_EQ(ShareDistance{kUnit - 1}.Scaled(), ScaledDistance{kScoreScale - 1});
  EXPECT_EQ(ShareDistance{0}.Scaled(), ScaledDistance{0});
}

// A whole number of records moves the rounded distance by exactly as much: rounding adds nothing to a sensitivity.
TEST(ShareDistance, KeepsWholeRecordsThroughRounding) {
  SeededRandomSource random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const ShareDistance before{static_cast<std::int64_t>(random.NextBelow(std::uint64_t{1} << 40))};
    const ShareDistance after{before.units + 2 * kUnit};
    ASSERT_EQ(after.Scaled().units - before.Scaled().units, 2 * kScoreScale);
    ASSERT_EQ(ToSummedScore(after) - ToSummedScore(before), 2 * kSummedScoreScale);
    const std::vector<ShareDistance> all_before(1 + random.NextBelow(kMaxScoredAttributes), before);
    const std::vector<ShareDistance> all_after(all_before.size(), after);
    ASSERT_EQ(MeanDistance(all_after).units - MeanDistance(all_before).units, 2 * kScoreScale);
  }
}

TEST(MeanDistance, IsTheMeanOfTheDistances) {
  EXPECT_EQ(MeanDistance(std::vector<ShareDistance>{{4 * kUnit}, {kUnit}}), ScaledDistance{kScoreScale * 5 / 2});
  EXPECT_EQ(MeanDistance(std::vector<ShareDistance>{{7 * kUnit}}), ScaledDistance{7 * kScoreScale});
  SeededRandomSource random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<ShareDistance> distances(1 + random.NextBelow(kMaxScoredAttributes));
    long double sum = 0;
    for (ShareDistance& distance : distances) {
      distance.units = static_cast<std::int64_t>(random.NextBelow(std::uint64_t{1} << 50));
      sum += distance.units;
    }
    const long double exact = sum / distances.size() / (kUnit / kScoreScale);
    ASSERT_NEAR(static_cast<double>(MeanDistance(distances).units - exact), -0.5, 0.5 + 1e-4);
  }
}

TEST(MeanDistanceDeathTest, RefusesNoneAndTooMany) {
  EXPECT_DEATH(MeanDistance({}), "one_ways");
  EXPECT_DEATH(MeanDistance(std::vector<ShareDistance>(kMaxScoredAttributes + 1)), "one_ways");
}

TEST(SummedScore, IsInSixteenthsOfARecordRoundedDown) {
  EXPECT_EQ(ToSummedScore({3 * kUnit}), 48);
  EXPECT_EQ(ToSummedScore({kUnit / 16}), 1);
  EXPECT_EQ(ToSummedScore({kUnit / 16 - 1}), 0);
}

}  // namespace
}  // namespace flaim
