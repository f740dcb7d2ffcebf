// Tries to break the declared sensitivities: random pairs of tables that differ in one row, 40,000 for the counts and
// for each of the three scores. No difference may exceed what is declared, and one must reach 0.99 of it.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "marginal/kernels/count.h"
#include "marginal/score.h"
#include "marginal/sensitivity.h"
#include "marginal/testing/random_tables.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;
using Expected = std::vector<double>;

constexpr int kPairs = 40000;

struct Neighbours {
  Table smaller;
  Table larger;
};

Domain RandomDomain(RandomSource& random) {
  std::vector<std::int64_t> sizes;
  for (std::uint64_t columns = 1 + random.NextBelow(4); columns > 0; --columns) {
    sizes.push_back(1 + static_cast<std::int64_t>(random.NextBelow(4)));
  }
  return DomainOfSizes(sizes);
}

Neighbours RandomNeighbours(const Domain& domain, RandomSource& random) {
  auto rows = testing_tables::RandomRows(domain, random.NextBelow(8), random);
  const Table smaller = testing_tables::TableOf(domain, rows);
  const auto position = static_cast<std::ptrdiff_t>(random.NextBelow(rows.size() + 1));
  rows.insert(rows.begin() + position, testing_tables::RandomRow(domain, random));
  return {smaller, testing_tables::TableOf(domain, rows)};
}

Clique RandomQuery(const Domain& domain, RandomSource& random) {
  while (true) {
    Clique clique = testing_tables::RandomClique(domain, random);
    if (clique.size() > 0) return clique;
  }
}

Marginal Count(const Table& table, const Clique& clique) { return CountMarginal(table, clique).value(); }

TEST(CountsSensitivity, HoldsAndIsAttained) {
  SeededRandomSource random(101);
  double largest_share = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Domain domain = RandomDomain(random);
    const Neighbours tables = RandomNeighbours(domain, random);
    const std::uint64_t cliques = 1 + random.NextBelow(5);
    std::int64_t squared_difference = 0;
    for (std::uint64_t i = 0; i < cliques; ++i) {
      const Clique clique = testing_tables::RandomClique(domain, random);
      const Marginal smaller = Count(tables.smaller, clique);
      const Marginal larger = Count(tables.larger, clique);
      for (std::size_t cell = 0; cell < smaller.counts().size(); ++cell) {
        const std::int64_t difference = larger.counts()[cell] - smaller.counts()[cell];
        squared_difference += difference * difference;
      }
    }
    const std::int64_t declared = CountsSensitivitySquared(cliques);
    ASSERT_LE(squared_difference, declared);
    largest_share = std::max(largest_share, static_cast<double>(squared_difference) / static_cast<double>(declared));
  }
  EXPECT_GE(largest_share, 0.99);
}

// Public counts to compare with: integers, halves and arbitrary numbers, some negative, on both sides of the private
// ones.
Expected RandomExpected(std::size_t cells, RandomSource& random) {
  Expected expected(cells);
  for (double& value : expected) {
    const double drawn = random.NextUnit() * 8 - 1;
    switch (random.NextBelow(4)) {
      case 0:
        value = std::round(drawn);
        break;
      case 1:
        value = std::round(drawn * 2) / 2;
        break;
      case 2:
        value = 0;
        break;
      default:
        value = drawn;
    }
  }
  return expected;
}

// Everything about one query that is public and the same for both tables of a pair.
struct PublicSide {
  Clique clique;
  ScoredQuery query;
  Expected model;
  Expected reference;
  std::vector<Expected> one_ways;
};

std::size_t Cells(const Domain& domain, const Clique& clique) {
  return static_cast<std::size_t>(CellCount(domain, clique).value());
}

PublicSide RandomPublicSide(const Domain& domain, RandomSource& random) {
  PublicSide side;
  side.clique = RandomQuery(domain, random);
  side.query = {1 + static_cast<std::int64_t>(random.NextBelow(200)), random.NextUnit() * 20};
  side.model = RandomExpected(Cells(domain, side.clique), random);
  side.reference = RandomExpected(Cells(domain, side.clique), random);
  for (const AttributeIndex attribute : side.clique) {
    side.one_ways.push_back(RandomExpected(Cells(domain, Clique({attribute})), random));
  }
  return side;
}

ScaledDistance ErrorOf(const Table& table, const PublicSide& side) {
  return Distance({Count(table, side.clique).counts(), side.model}).value();
}

std::int64_t NaiveScoreOf(const Table& table, const PublicSide& side) {
  return Score(side.query, ErrorOf(table, side)).value();
}

std::int64_t OracleScoreOf(const Table& table, const PublicSide& side) {
  const ScaledDistance heterogeneity = Distance({Count(table, side.clique).counts(), side.reference}).value();
  return AugmentedScore(side.query, ErrorOf(table, side), heterogeneity).value();
}

std::int64_t PrivateScoreOf(const Table& table, const PublicSide& side) {
  std::vector<Marginal> counts;
  for (const AttributeIndex attribute : side.clique) counts.push_back(Count(table, Clique({attribute})));
  std::vector<Comparison> one_ways;
  for (std::size_t i = 0; i < counts.size(); ++i) one_ways.push_back({counts[i].counts(), side.one_ways[i]});
  return AugmentedScore(side.query, ErrorOf(table, side), MeanOneWayDistance(one_ways).value()).value();
}

using ScoreOf = std::function<std::int64_t(const Table&, const PublicSide&)>;
using Declared = std::function<absl::StatusOr<std::int64_t>(std::span<const std::int64_t>)>;

void ExpectSensitivityHoldsAndIsAttained(const ScoreOf& score_of, const Declared& declared_for, std::uint64_t seed) {
  SeededRandomSource random(seed);
  double largest_rise = 0;
  double largest_fall = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Domain domain = RandomDomain(random);
    const Neighbours tables = RandomNeighbours(domain, random);
    const PublicSide side = RandomPublicSide(domain, random);
    const std::int64_t change = score_of(tables.larger, side) - score_of(tables.smaller, side);
    const std::int64_t declared = declared_for(std::vector<std::int64_t>{side.query.weight}).value();
    ASSERT_LE(std::abs(change), declared);
    const double share = static_cast<double>(change) / static_cast<double>(declared);
    largest_rise = std::max(largest_rise, share);
    largest_fall = std::max(largest_fall, -share);
  }
  EXPECT_GE(largest_rise, 0.99);
  EXPECT_GE(largest_fall, 0.99);
}

TEST(ScoreSensitivity, HoldsAndIsAttainedInBothDirections) {
  ExpectSensitivityHoldsAndIsAttained(NaiveScoreOf, ScoreSensitivity, 102);
}

TEST(AugmentedScoreSensitivity, HoldsAndIsAttainedForTheOracle) {
  ExpectSensitivityHoldsAndIsAttained(OracleScoreOf, AugmentedScoreSensitivity, 103);
}

TEST(AugmentedScoreSensitivity, HoldsAndIsAttainedForThePrivateProxy) {
  ExpectSensitivityHoldsAndIsAttained(PrivateScoreOf, AugmentedScoreSensitivity, 104);
}

// Whichever table is called the neighbour, the largest change over all candidates is what one selection pays for.
TEST(ScoreSensitivity, BoundsEveryScoreOfAVector) {
  SeededRandomSource random(105);
  for (int pair = 0; pair < kPairs / 8; ++pair) {
    const Domain domain = RandomDomain(random);
    const Neighbours tables = RandomNeighbours(domain, random);
    std::vector<std::int64_t> weights;
    std::int64_t largest_change = 0;
    std::int64_t largest_augmented_change = 0;
    for (int candidate = 0; candidate < 4; ++candidate) {
      const PublicSide side = RandomPublicSide(domain, random);
      weights.push_back(side.query.weight);
      largest_change =
          std::max(largest_change, std::abs(NaiveScoreOf(tables.larger, side) - NaiveScoreOf(tables.smaller, side)));
      largest_augmented_change = std::max(largest_augmented_change, std::abs(PrivateScoreOf(tables.larger, side) -
                                                                             PrivateScoreOf(tables.smaller, side)));
    }
    ASSERT_LE(largest_change, ScoreSensitivity(weights).value());
    ASSERT_LE(largest_augmented_change, AugmentedScoreSensitivity(weights).value());
  }
}

}  // namespace
}  // namespace flaim
