#include "marginal/clique_counts.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;

TEST(CliqueCounts, GivesEachCliqueItsOwnZeroedCells) {
  for (const std::int64_t size : {3, 1000}) {
    const Domain domain = DomainOfSizes({size, size, 2});
    const std::vector<Clique> cliques = {Clique({0, 1}), Clique(), Clique({2}), Clique({0, 1})};
    CliqueCounts counts = CliqueCounts::Zero(domain, cliques).value();
    ASSERT_EQ(counts.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_EQ(counts[i].size(), static_cast<std::size_t>(CellCount(domain, cliques[i]).value()));
      EXPECT_TRUE(std::all_of(counts[i].begin(), counts[i].end(), [](std::int64_t count) { return count == 0; }));
      std::fill(counts.Mutable(i).begin(), counts.Mutable(i).end(), static_cast<std::int64_t>(i) + 1);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const auto expected = static_cast<std::int64_t>(i) + 1;
      EXPECT_EQ(std::count(counts[i].begin(), counts[i].end(), expected), static_cast<std::int64_t>(counts[i].size()));
    }
  }
}

TEST(CliqueCounts, SurvivesAMove) {
  const Domain domain = DomainOfSizes({3});
  CliqueCounts counts = CliqueCounts::Zero(domain, std::vector<Clique>{Clique({0})}).value();
  counts.Mutable(0)[1] = 5;
  const CliqueCounts moved = std::move(counts);
  EXPECT_EQ(moved[0][1], 5);
}

TEST(CliqueCounts, RefusesWhatDoesNotFitIntoMemory) {
  const Domain domain = DomainOfSizes({std::int64_t{1} << 30, std::int64_t{1} << 30});
  const auto refused = CliqueCounts::Zero(domain, std::vector<Clique>{Clique({0, 1})});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  const auto larger_than_addresses = CliqueCounts::Zero(DomainOfSizes({std::int64_t{1} << 24, std::int64_t{1} << 24}),
                                                        std::vector<Clique>{Clique({0, 1})});
  EXPECT_EQ(larger_than_addresses.status().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace flaim
