#include "marginal/kernels/count.h"

#include <numeric>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;
using testing_tables::RandomRows;
using testing_tables::TableOf;

std::vector<std::int64_t> Counted(const Table& table, const Clique& clique) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(CellCount(table.domain(), clique).value()), -1);
  CountClique(table, clique, counts);
  return counts;
}

void ExpectEqualToNaive(const Table& table, const std::vector<Clique>& cliques, int threads) {
  Parallel parallel(threads);
  const CliqueCounts counts = CountCliques(table, cliques, parallel).value();
  ASSERT_EQ(counts.size(), cliques.size());
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    const std::vector<std::int64_t> expected = NaiveCountClique(table, cliques[i]);
    EXPECT_EQ(std::vector<std::int64_t>(counts[i].begin(), counts[i].end()), expected)
        << CliqueName(table.domain(), cliques[i]);
    EXPECT_EQ(Counted(table, cliques[i]), expected) << CliqueName(table.domain(), cliques[i]);
  }
}

// The twin itself, against the definition: one look at every row for every cell.
TEST(NaiveCount, CountsRowsCellByCell) {
  SeededRandomSource random(5);
  const Domain domain = DomainOfSizes({3, 2, 4});
  const Table table = TableOf(domain, RandomRows(domain, 50, random));
  const std::vector<std::int64_t> counts = NaiveCountClique(table, Clique({0, 2}));
  ASSERT_EQ(counts.size(), 12U);
  for (std::uint32_t first = 0; first < 3; ++first) {
    for (std::uint32_t third = 0; third < 4; ++third) {
      std::int64_t rows = 0;
      for (std::size_t row = 0; row < 50; ++row) rows += table.at(row, 0) == first && table.at(row, 2) == third;
      EXPECT_EQ(counts[first * 4 + third], rows);
    }
  }
}

TEST(CountCliques, AgreesWithTheNaiveCountOnRandomTables) {
  SeededRandomSource random(6);
  for (int trial = 0; trial < 120; ++trial) {
    std::vector<std::int64_t> sizes;
    for (std::uint64_t columns = 1 + random.NextBelow(6); columns > 0; --columns) {
      sizes.push_back(1 + static_cast<std::int64_t>(random.NextBelow(9)));
    }
    const Domain domain = DomainOfSizes(sizes);
    const Table table = TableOf(domain, RandomRows(domain, random.NextBelow(400), random));
    std::vector<Clique> cliques;
    for (std::uint64_t i = random.NextBelow(25); i > 0; --i) {
      cliques.push_back(testing_tables::RandomClique(domain, random));
    }
    ExpectEqualToNaive(table, cliques, 1 + trial % 4);
  }
}

TEST(CountCliques, HandlesColumnsOfEveryWidth) {
  SeededRandomSource random(7);
  const Domain domain = DomainOfSizes({256, 257, 65536, 65537, 2});
  const Table table = TableOf(domain, RandomRows(domain, 3000, random));
  ExpectEqualToNaive(table,
                     {Clique({0, 1}), Clique({1, 4}), Clique({2}), Clique({3}), Clique({3, 4}), Clique({2, 4}),
                      Clique({0, 1, 4}), Clique({0}), Clique()},
                     2);
}

TEST(CountCliques, CrossesBlocksAndChunks) {
  SeededRandomSource random(8);
  const Domain domain = DomainOfSizes({5, 300, 3, 2});
  const Table table = TableOf(domain, RandomRows(domain, (1 << 16) + 1500, random));
  std::vector<Clique> cliques = {Clique({0, 1}), Clique({0, 1, 2}), Clique({0, 1, 3}), Clique({2, 3}), Clique({3})};
  ExpectEqualToNaive(table, cliques, 3);
  ExpectEqualToNaive(table.Slice(0, 1 << 16), cliques, 1);
  ExpectEqualToNaive(table.Slice(7, 7 + 1024), cliques, 1);
  ExpectEqualToNaive(table.Slice(7, 7 + 1025), cliques, 1);
}

TEST(CountCliques, CountsATableWithoutRows) {
  const Domain domain = DomainOfSizes({3, 4});
  ExpectEqualToNaive(TableOf(domain, {}), {Clique({0, 1}), Clique(), Clique({1})}, 2);
}

TEST(CountCliques, CountsRepeatedCliquesAndOneAttribute) {
  SeededRandomSource random(9);
  const Domain domain = DomainOfSizes({11});
  const Table table = TableOf(domain, RandomRows(domain, 77, random));
  ExpectEqualToNaive(table, {Clique({0}), Clique({0}), Clique(), Clique(), Clique({0})}, 4);
  ExpectEqualToNaive(table.Slice(0, 3), {Clique({0}), Clique({0}), Clique(), Clique()}, 2);
}

TEST(CountCliques, OfNothingIsNothing) {
  Parallel parallel(2);
  EXPECT_EQ(CountCliques(TableOf(DomainOfSizes({2}), {}), {}, parallel).value().size(), 0U);
}

TEST(CountCliques, DoesNotDependOnTheNumberOfThreads) {
  SeededRandomSource random(10);
  const Domain domain = DomainOfSizes({20, 30, 40, 2, 3, 5, 7});
  const Table table = TableOf(domain, RandomRows(domain, 2000, random));
  std::vector<Clique> cliques(40);
  for (Clique& clique : cliques) {
    clique = testing_tables::RandomClique(domain, random).Intersect(Clique({0, 1, 2, 3, 5}));
  }
  for (int threads = 1; threads <= 4; ++threads) ExpectEqualToNaive(table, cliques, threads);
}

TEST(CountCliques, MapsLargeOutputs) {
  SeededRandomSource random(11);
  const Domain domain = DomainOfSizes({100, 100, 100, 2});
  const Table table = TableOf(domain, RandomRows(domain, 500, random));
  ExpectEqualToNaive(table, {Clique({0, 1, 2}), Clique({0, 1, 3}), Clique({1, 2, 3})}, 2);
}

TEST(CountMarginal, GivesTheMarginalAsAValue) {
  SeededRandomSource random(12);
  const Domain domain = DomainOfSizes({3, 4});
  const Table table = TableOf(domain, RandomRows(domain, 20, random));
  const Clique clique({0, 1});
  EXPECT_EQ(CountMarginal(table, clique).value(), Marginal(domain, clique, NaiveCountClique(table, clique)));
}

TEST(CountMarginal, RefusesMoreCellsThanCanBeIndexed) {
  const Domain domain = DomainOfSizes({1 << 20, 1 << 13});
  const Table table = TableOf(domain, {});
  EXPECT_THAT(CountMarginal(table, Clique({0, 1})).status().ToString(), ::testing::HasSubstr("c0,c1"));
  Parallel parallel(1);
  EXPECT_EQ(CountCliques(table, std::vector<Clique>{Clique({0, 1})}, parallel).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(CountCliqueDeathTest, RefusesAnOutputOfTheWrongSize) {
  const Table table = TableOf(DomainOfSizes({3, 4}), {});
  std::vector<std::int64_t> counts(11);
  EXPECT_DEATH(CountClique(table, Clique({0, 1}), counts), "CHECK");
}

}  // namespace
}  // namespace flaim
