#include "model/sampling/swap_cliques.h"

#include <algorithm>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing_tables::DomainOfSizes;

std::size_t CountOfSize(const std::vector<Clique>& cliques, int size) {
  return std::count_if(cliques.begin(), cliques.end(), [&](const Clique& clique) { return clique.size() == size; });
}

TEST(DefaultSwapCliques, AreAllPairsAndThreeWaysOfANarrowTable) {
  EXPECT_THAT(DefaultSwapCliques(DomainOfSizes({2, 3, 4})),
              ElementsAre(Clique({0, 1}), Clique({0, 2}), Clique({1, 2}), Clique({0, 1, 2})));
}

TEST(DefaultSwapCliques, LeaveOutWhatIsTooLarge) {
  EXPECT_THAT(DefaultSwapCliques(DomainOfSizes({200, 200, 3})),
              ElementsAre(Clique({0, 1}), Clique({0, 2}), Clique({1, 2})));
}

TEST(DefaultSwapCliques, SpreadThreeWaysOverTheColumnsWhereThereIsNoRoomForAll) {
  const std::vector<Clique> cliques = DefaultSwapCliques(DomainOfSizes(std::vector<std::int64_t>(20, 5)));
  EXPECT_THAT(cliques, SizeIs(kSwapCliquesMax));
  EXPECT_THAT(std::set(cliques.begin(), cliques.end()), SizeIs(kSwapCliquesMax));
  EXPECT_EQ(CountOfSize(cliques, 2), 190u);
  for (AttributeIndex column = 0; column < 20; ++column) {
    EXPECT_GE(std::count_if(cliques.begin(), cliques.end(),
                            [&](const Clique& clique) { return clique.size() == 3 && clique.Contains(column); }),
              5);
  }
}

TEST(DefaultSwapCliques, SpreadPairsOfAWideTable) {
  const std::vector<Clique> cliques = DefaultSwapCliques(DomainOfSizes(std::vector<std::int64_t>(100, 5)));
  EXPECT_EQ(CountOfSize(cliques, 2), kSwapCliquesMax);
  EXPECT_THAT(cliques, SizeIs(kSwapCliquesMax));
}

TEST(DefaultSwapCliques, AreNoMoreThanFitIntoMemory) {
  // 66 pairs of 1,600 cells, and 220 three-ways of 64,000.
  const Domain domain = DomainOfSizes(std::vector<std::int64_t>(12, 40));
  std::int64_t cells = 0;
  const std::vector<Clique> cliques = DefaultSwapCliques(domain);
  for (const Clique& clique : cliques) cells += CellCount(domain, clique).value();
  EXPECT_EQ(CountOfSize(cliques, 2), 66u);
  EXPECT_LE(cells, kSwapCellsMax);
  EXPECT_GT(cells + 64'000, kSwapCellsMax);
}

TEST(DefaultSwapCliques, AreOneWaysWhereThereAreNoPairs) {
  EXPECT_THAT(DefaultSwapCliques(DomainOfSizes({7})), ElementsAre(Clique({0})));
  EXPECT_THAT(DefaultSwapCliques(DomainOfSizes({1000, 1000})), ElementsAre(Clique({0}), Clique({1})));
}

TEST(SwapCliques, AreThoseOfTheWorkloadThatAreSmallEnough) {
  const Domain domain = DomainOfSizes({256, 256, 2});
  const Workload workload =
      Workload::Create(domain, {{Clique({0, 1}), 1}, {Clique({0, 1, 2}), 1}, {Clique({2}), 1}}).value();
  EXPECT_THAT(SwapCliques(domain, workload), ElementsAre(Clique({0, 1}), Clique({2})));
  EXPECT_THAT(SwapCliques(domain, Workload::Create(domain, {{Clique({0, 1, 2}), 1}}).value()), IsEmpty());
}

}  // namespace
}  // namespace flaim
