#include "marginal/kernels/counting_plan.h"

#include <algorithm>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;

TEST(PlanPasses, CountsEveryCliqueOnceWithinTheCellLimit) {
  SeededRandomSource random(3);
  const Domain domain = DomainOfSizes({2, 3, 30, 4, 300, 2, 7});
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t rows = random.NextBelow(5000);
    std::vector<Clique> cliques;
    for (std::uint64_t i = random.NextBelow(30); i > 0; --i) {
      cliques.push_back(testing_tables::RandomClique(domain, random));
    }
    std::vector<int> counted(cliques.size());
    for (const CountingPass& pass : PlanPasses(domain, cliques, rows)) {
      for (const std::size_t member : pass.members) {
        ++counted[member];
        EXPECT_TRUE(cliques[member].IsSubsetOf(pass.counted));
      }
      const bool merged = std::any_of(pass.members.begin(), pass.members.end(),
                                      [&](std::size_t member) { return cliques[member] != pass.counted; });
      if (merged) {
        EXPECT_LE(CellCount(domain, pass.counted).value(), static_cast<std::int64_t>(rows / 4));
      }
    }
    EXPECT_EQ(counted, std::vector<int>(cliques.size(), 1));
  }
}

TEST(PlanPasses, MergesSmallCliquesWhenThereAreManyRows) {
  const Domain domain = DomainOfSizes({2, 2, 2, 2});
  const std::vector<Clique> cliques = {Clique({0, 1}), Clique({1, 2}), Clique({2, 3}), Clique()};
  EXPECT_EQ(PlanPasses(domain, cliques, 64).size(), 1U);
  EXPECT_EQ(PlanPasses(domain, cliques, 3).size(), 4U);
}

TEST(PlanPasses, CountsARepeatedCliqueOnce) {
  const Domain domain = DomainOfSizes({1000, 1000});
  const std::vector<Clique> cliques = {Clique({0, 1}), Clique({0}), Clique({0, 1})};
  EXPECT_EQ(PlanPasses(domain, cliques, 10).size(), 2U);
}

TEST(PlanPasses, SortsByTheCliqueCounted) {
  const Domain domain = DomainOfSizes({100, 2, 100, 2, 100});
  std::vector<Clique> cliques = {Clique({2, 4}), Clique({0, 2}), Clique({1, 3}), Clique({0, 4}), Clique({0, 1, 3})};
  const std::vector<CountingPass> passes = PlanPasses(domain, cliques, 100000);
  EXPECT_TRUE(std::is_sorted(passes.begin(), passes.end(), [](const CountingPass& left, const CountingPass& right) {
    return left.counted < right.counted;
  }));
}

}  // namespace
}  // namespace flaim
