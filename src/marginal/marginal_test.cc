#include "marginal/marginal.h"

#include <numeric>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "marginal/kernels/naive_count.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;

Marginal MarginalOf(const Table& table, const Clique& clique) {
  return Marginal(table.domain(), clique, NaiveCountClique(table, clique));
}

TEST(Marginal, IsRowMajorWithTheLastAttributeFastest) {
  const Domain domain = DomainOfSizes({2, 3});
  const Marginal marginal = MarginalOf(testing_tables::TableOf(domain, {{0, 1}, {1, 2}, {1, 2}}), Clique({0, 1}));
  EXPECT_EQ(std::vector<std::int64_t>(marginal.counts().begin(), marginal.counts().end()),
            (std::vector<std::int64_t>{0, 1, 0, 0, 0, 2}));
  EXPECT_EQ(marginal.sizes(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(marginal.Total(), 3);
}

TEST(Marginal, ProjectsToWhatCountingTheSubsetGives) {
  SeededRandomSource random(1);
  const Domain domain = DomainOfSizes({3, 1, 4, 2, 5});
  for (int trial = 0; trial < 300; ++trial) {
    const Table table =
        testing_tables::TableOf(domain, testing_tables::RandomRows(domain, random.NextBelow(40), random));
    const Clique clique = testing_tables::RandomClique(domain, random);
    const Clique subset = clique.Intersect(testing_tables::RandomClique(domain, random));
    EXPECT_EQ(MarginalOf(table, clique).Project(subset), MarginalOf(table, subset));
  }
}

TEST(Marginal, OfTheEmptyCliqueCountsTheRows) {
  const Domain domain = DomainOfSizes({2, 3});
  const Marginal marginal = MarginalOf(testing_tables::TableOf(domain, {{0, 1}, {1, 2}}), Clique({0, 1}));
  EXPECT_EQ(marginal.Project(Clique()).counts()[0], 2);
}

TEST(MarginalDeathTest, RefusesAWrongNumberOfCounts) {
  EXPECT_DEATH(Marginal(DomainOfSizes({2, 3}), Clique({0, 1}), std::vector<std::int64_t>(5)), "CHECK");
}

TEST(MarginalDeathTest, ProjectsOnlyToSubsets) {
  const Domain domain = DomainOfSizes({2, 3});
  const Marginal marginal(domain, Clique({0}), {1, 2});
  EXPECT_DEATH(marginal.Project(Clique({1})), "CHECK");
}

}  // namespace
}  // namespace flaim
