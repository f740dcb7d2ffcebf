#include "marginal/counted_table.h"

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/kernels/count.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using ::testing::Each;
using ::testing::ElementsAreArray;

constexpr std::int64_t kPlenty = 1 << 20;

void ExpectEveryCount(const Table& table, const std::vector<Clique>& cliques, std::int64_t max_kept_cells) {
  Parallel parallel(2);
  CountedTable counts = CountedTable::Create(table, cliques, max_kept_cells, parallel).value();
  ASSERT_EQ(counts.size(), cliques.size());
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = cliques.size(); i-- > 0;) {
      EXPECT_THAT(counts.Counts(i).value(), ElementsAreArray(CountMarginal(table, cliques[i]).value().counts()));
    }
  }
}

TEST(CountedTable, GivesTheSameCountsWhetherItKeepsThemOrNot) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SeededRandomSource random(seed);
    const Domain domain = testing_tables::DomainOfSizes({3, 1, 7, 2, 300});
    const Table table = testing_tables::TableOf(domain, testing_tables::RandomRows(domain, 100, random));
    std::vector<Clique> cliques;
    std::int64_t cells = 0;
    for (int i = 0; i < 8; ++i) {
      cliques.push_back(testing_tables::RandomClique(domain, random));
      cells += CellCount(domain, cliques.back()).value();
    }
    for (const std::int64_t max_kept_cells : {kPlenty, cells, cells - 1, std::int64_t{1}, std::int64_t{0}}) {
      ExpectEveryCount(table, cliques, max_kept_cells);
    }
  }
}

TEST(CountedTable, CountsNothingInATableWithoutRows) {
  const Domain domain = testing_tables::DomainOfSizes({3, 4});
  Parallel parallel(1);
  for (const std::int64_t max_kept_cells : {kPlenty, std::int64_t{0}}) {
    CountedTable counts =
        CountedTable::Create(testing_tables::TableOf(domain, {}), {Clique({0, 1})}, max_kept_cells, parallel).value();
    EXPECT_EQ(counts.Counts(0).value().size(), 12U);
    EXPECT_THAT(counts.Counts(0).value(), Each(0));
  }
}

TEST(CountedTable, TakesNoCliquesAtAll) {
  const Domain domain = testing_tables::DomainOfSizes({3});
  Parallel parallel(1);
  EXPECT_EQ(CountedTable::Create(testing_tables::TableOf(domain, {{1}}), {}, kPlenty, parallel)->size(), 0U);
}

TEST(CountedTable, RefusesAMarginalThatNobodyCouldCountAndNamesIt) {
  const Domain domain = testing_tables::DomainOfSizes({1 << 20, 1 << 20, 2});
  Parallel parallel(1);
  const auto counts =
      CountedTable::Create(testing_tables::TableOf(domain, {}), {Clique({2}), Clique({0, 1})}, kPlenty, parallel);
  EXPECT_EQ(counts.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(counts.status().message()), testing::HasSubstr("c0,c1"));
}

}  // namespace
}  // namespace flaim
