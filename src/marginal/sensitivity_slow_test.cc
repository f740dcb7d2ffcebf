// Tries to break the declared sensitivities: random pairs of tables that differ in one row, 100,000 for the counts and
// for each of the scores. No difference may exceed what is declared, and one must reach 0.99 of it, in both directions.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "marginal/kernels/count.h"
#include "marginal/public_shares.h"
#include "marginal/random_tables_testing.h"
#include "marginal/score.h"
#include "marginal/sensitivity.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;
using Expected = std::vector<double>;

constexpr int kPairs = 100'000;

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

double ShareOf(std::int64_t change, std::int64_t declared) {
  return static_cast<double>(change) / static_cast<double>(declared);
}

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
    largest_share = std::max(largest_share, ShareOf(squared_difference, declared));
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

PublicShares RandomShares(std::size_t cells, RandomSource& random) {
  Expected shares = RandomExpected(cells, random);
  for (double& share : shares) share = std::max(share, 0.0);
  shares[random.NextBelow(cells)] += 0.1;
  return PublicShares(shares);
}

// Everything about one query that is public and the same for both tables of a pair.
struct PublicSide {
  Clique clique;
  ScoredQuery query;
  Expected counts;         // the model's, where its number of records is public
  PublicShares model;      // the model's shares
  PublicShares everybody;  // the oracle's
  std::vector<PublicShares> one_ways;
};

struct Trial {
  Neighbours tables;
  PublicSide side;
};

std::size_t Cells(const Domain& domain, const Clique& clique) {
  return static_cast<std::size_t>(CellCount(domain, clique).value());
}

ScoredQuery RandomScoredQuery(RandomSource& random) {
  return {1 + static_cast<std::int64_t>(random.NextBelow(200)), random.NextUnit() * 20};
}

PublicSide RandomPublicSide(const Domain& domain, RandomSource& random) {
  const Clique clique = RandomQuery(domain, random);
  const std::size_t cells = Cells(domain, clique);
  PublicSide side{clique,
                  RandomScoredQuery(random),
                  RandomExpected(cells, random),
                  RandomShares(cells, random),
                  RandomShares(cells, random),
                  {}};
  for (const AttributeIndex attribute : clique) {
    side.one_ways.push_back(RandomShares(Cells(domain, Clique({attribute})), random));
  }
  return side;
}

// Two attributes of three values each: what the model expects of all rows, and by how much the rows differ from it.
using Cells3x3 = std::array<double, 9>;

struct Construction {
  Cells3x3 expected;
  Cells3x3 excess;
};

// The worst case, which small random tables do not reach. A record moves a distance to shares by nearly 2 only if its
// own cell has a small share, and by minus 2 only if that cell has rows to spare, so it takes hundreds of rows. Here
// the record (0, 0) is added, and nearly all rows are in (1, 1).
//
// Raises the joint distance and lowers the one-way ones: nobody expects (0, 0), and the others are expected once more;
// but there are too few 0 of either attribute, and too many 1.
Construction RaisingConstruction(double rows, double few) {
  return {{0, 0, few, 0, rows - 2 * few, 0, few, 0, 0},  //
          {0, 0, -1, 0, 0, 1, -1, 1, 0}};
}

// The mirror image: (0, 0) is missing and (1, 1) abundant, but either attribute alone is as expected.
Construction LoweringConstruction(double rows, double few) {
  return {{few, 0, 0, 0, rows - 3 * few, few, 0, few, 0},  //
          {-1, 0, 1, 0, 1, -1, 1, -1, 0}};
}

Table TableWithCounts(const Domain& domain, const std::array<std::int64_t, 9>& counts, std::size_t last_cell) {
  std::vector<std::uint8_t> first;
  std::vector<std::uint8_t> second;
  const auto add = [&](std::size_t cell) {
    first.push_back(static_cast<std::uint8_t>(cell / 3));
    second.push_back(static_cast<std::uint8_t>(cell % 3));
  };
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    for (std::int64_t row = 0; row < counts[cell]; ++row) add(cell);
  }
  add(last_cell);
  return Table::FromColumns(domain, {first, second});
}

Expected OneWay(const Cells3x3& joint, std::size_t attribute) {
  Expected shares(3);
  for (std::size_t cell = 0; cell < joint.size(); ++cell) shares[attribute == 0 ? cell / 3 : cell % 3] += joint[cell];
  return shares;
}

// What everybody looks like to the oracle: the opposite of what the model says about (0, 0) and (1, 1).
Cells3x3 Everybody(const std::array<std::int64_t, 9>& counts, bool model_raises) {
  Cells3x3 everybody{};
  if (!model_raises) {
    everybody[4] = 1;
    return everybody;
  }
  std::copy(counts.begin(), counts.end(), everybody.begin());
  everybody[0] += 1;
  everybody[4] -= 1;
  return everybody;
}

void Perturb(Cells3x3& expected, RandomSource& random) {
  for (double& value : expected) value += random.NextBelow(3) == 0 ? random.NextUnit() * 0.5 : 0;
}

// A construction with some hundreds of rows, as it stands or disturbed: other shares, other rows, another record.
Trial ConstructedTrial(RandomSource& random) {
  static const Domain domain = DomainOfSizes({3, 3});
  const auto rows = static_cast<double>(300 + random.NextBelow(200));
  const auto few = static_cast<double>(1 + random.NextBelow(2));
  const bool raises = random.NextBelow(2) == 0;
  Construction construction = raises ? RaisingConstruction(rows, few) : LoweringConstruction(rows, few);
  std::array<std::int64_t, 9> counts{};
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    counts[cell] = static_cast<std::int64_t>(construction.expected[cell] + construction.excess[cell]);
  }
  const PublicShares everybody(Everybody(counts, raises));
  std::size_t record = 0;
  if (random.NextBelow(2) == 0) {
    Perturb(construction.expected, random);
    counts[random.NextBelow(counts.size())] += static_cast<std::int64_t>(random.NextBelow(3));
    record = random.NextBelow(3) == 0 ? random.NextBelow(counts.size()) : 0;
  }
  const Table larger = TableWithCounts(domain, counts, record);
  PublicSide side{Clique({0, 1}),
                  RandomScoredQuery(random),
                  {construction.expected.begin(), construction.expected.end()},
                  PublicShares(construction.expected),
                  everybody,
                  {PublicShares(OneWay(construction.expected, 0)), PublicShares(OneWay(construction.expected, 1))}};
  return {{larger.Slice(0, larger.rows() - 1), larger}, std::move(side)};
}

// Mostly small random tables, which find the many kinds of corners, and some constructions.
Trial RandomTrial(RandomSource& random) {
  if (random.NextBelow(4) == 0) return ConstructedTrial(random);
  const Domain domain = RandomDomain(random);
  return {RandomNeighbours(domain, random), RandomPublicSide(domain, random)};
}

class Scorer {
 public:
  std::int64_t PublicScaleScore(const Table& table, const PublicSide& side) {
    return Score(side.query, Distance({Count(table, side.clique).counts(), side.counts}).value()).value();
  }
  std::int64_t ShareScore(const Table& table, const PublicSide& side) {
    return Score(side.query, Error(table, side).Scaled()).value();
  }
  std::int64_t OracleScore(const Table& table, const PublicSide& side) {
    const ShareDistance heterogeneity = meter_.Measure(table, side.clique, side.everybody);
    return AugmentedScore(side.query, Error(table, side).Scaled(), heterogeneity.Scaled()).value();
  }
  std::int64_t ProxyScore(const Table& table, const PublicSide& side) {
    std::vector<ShareDistance> one_ways;
    for (const AttributeIndex attribute : side.clique) {
      one_ways.push_back(meter_.Measure(table, Clique({attribute}), side.one_ways[one_ways.size()]));
    }
    return AugmentedScore(side.query, Error(table, side).Scaled(), MeanDistance(one_ways)).value();
  }
  std::int64_t SummedScore(const Table& table, const PublicSide& side) { return ToSummedScore(Error(table, side)); }

 private:
  ShareDistance Error(const Table& table, const PublicSide& side) {
    return meter_.Measure(table, side.clique, side.model);
  }

  ShareDistanceMeter meter_;
};

using ScoreOf = std::int64_t (Scorer::*)(const Table&, const PublicSide&);
using Declared = std::function<absl::StatusOr<std::int64_t>(std::span<const std::int64_t>)>;

std::int64_t Change(Scorer& scorer, ScoreOf score_of, const Neighbours& tables, const PublicSide& side) {
  return (scorer.*score_of)(tables.larger, side) - (scorer.*score_of)(tables.smaller, side);
}

void ExpectSensitivityHoldsAndIsAttained(ScoreOf score_of, const Declared& declared_for, std::uint64_t seed) {
  SeededRandomSource random(seed);
  Scorer scorer;
  double largest_rise = 0;
  double largest_fall = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Trial trial = RandomTrial(random);
    const std::int64_t change = Change(scorer, score_of, trial.tables, trial.side);
    const std::int64_t declared = declared_for(std::vector<std::int64_t>{trial.side.query.weight}).value();
    ASSERT_LE(std::abs(change), declared) << "pair " << pair;
    largest_rise = std::max(largest_rise, ShareOf(change, declared));
    largest_fall = std::max(largest_fall, ShareOf(-change, declared));
  }
  testing::Test::RecordProperty("largest_rise", fmt::format("{:.4f}", largest_rise));
  testing::Test::RecordProperty("largest_fall", fmt::format("{:.4f}", largest_fall));
  EXPECT_GE(largest_rise, 0.99);
  EXPECT_GE(largest_fall, 0.99);
}

TEST(ScoreSensitivity, HoldsAndIsAttainedInBothDirections) {
  ExpectSensitivityHoldsAndIsAttained(&Scorer::PublicScaleScore, ScoreSensitivity, 102);
}

TEST(ShareScoreSensitivity, HoldsAndIsAttainedInBothDirections) {
  ExpectSensitivityHoldsAndIsAttained(&Scorer::ShareScore, ShareScoreSensitivity, 103);
}

TEST(AugmentedShareScoreSensitivity, HoldsAndIsAttainedForTheOracle) {
  ExpectSensitivityHoldsAndIsAttained(&Scorer::OracleScore, AugmentedShareScoreSensitivity, 104);
}

TEST(AugmentedShareScoreSensitivity, HoldsAndIsAttainedForThePrivateProxy) {
  ExpectSensitivityHoldsAndIsAttained(&Scorer::ProxyScore, AugmentedShareScoreSensitivity, 105);
}

// Adding and removing a row give the same norm, so there is one direction only.
TEST(SummedScoresSensitivity, HoldsAndIsAttained) {
  SeededRandomSource random(106);
  Scorer scorer;
  double largest_share = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Domain domain = RandomDomain(random);
    const Neighbours tables = RandomNeighbours(domain, random);
    const std::uint64_t candidates = 1 + random.NextBelow(4);
    std::int64_t squared_difference = 0;
    for (std::uint64_t candidate = 0; candidate < candidates; ++candidate) {
      const std::int64_t change = Change(scorer, &Scorer::SummedScore, tables, RandomPublicSide(domain, random));
      squared_difference += change * change;
    }
    const std::int64_t declared = SummedScoresSensitivitySquared(candidates);
    ASSERT_LE(squared_difference, declared) << "pair " << pair;
    if (candidates > 1) largest_share = std::max(largest_share, ShareOf(squared_difference, declared));
  }
  EXPECT_GE(largest_share, 0.99);
}

// Whichever table is called the neighbour, the largest change over all candidates is what one selection pays for.
TEST(ScoreSensitivity, BoundsEveryScoreOfAVector) {
  SeededRandomSource random(107);
  Scorer scorer;
  for (int pair = 0; pair < kPairs / 20; ++pair) {
    const Domain domain = RandomDomain(random);
    const Neighbours tables = RandomNeighbours(domain, random);
    std::vector<std::int64_t> weights;
    std::int64_t public_scale = 0;
    std::int64_t share = 0;
    std::int64_t augmented = 0;
    for (int candidate = 0; candidate < 4; ++candidate) {
      const PublicSide side = RandomPublicSide(domain, random);
      weights.push_back(side.query.weight);
      const auto change = [&](ScoreOf score_of) { return std::abs(Change(scorer, score_of, tables, side)); };
      public_scale = std::max(public_scale, change(&Scorer::PublicScaleScore));
      share = std::max(share, change(&Scorer::ShareScore));
      augmented = std::max({augmented, change(&Scorer::OracleScore), change(&Scorer::ProxyScore)});
    }
    ASSERT_LE(public_scale, ScoreSensitivity(weights).value());
    ASSERT_LE(share, ShareScoreSensitivity(weights).value());
    ASSERT_LE(augmented, AugmentedShareScoreSensitivity(weights).value());
  }
}

}  // namespace
}  // namespace flaim
