#include "model/inference/triangulation.h"

#include <algorithm>

#include "base/seeded_random_source.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/brute_force_testing.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;

constexpr EliminationRule kRules[] = {EliminationRule::kFewestCells, EliminationRule::kFewestFillEdges,
                                      EliminationRule::kLightestFillEdges, EliminationRule::kFewestNeighbours};

bool IsCovered(const Clique& clique, const Triangulation& triangulation) {
  return std::any_of(triangulation.cliques.begin(), triangulation.cliques.end(),
                     [&](const Clique& node) { return clique.IsSubsetOf(node); });
}

TEST(Triangulation, CoversEveryCliqueAndAttributeWithMaximalCliques) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {});
    for (const EliminationRule rule : kRules) {
      const Triangulation triangulation = Triangulate(model.domain, model.cliques, rule);
      for (const Clique& clique : model.cliques) EXPECT_TRUE(IsCovered(clique, triangulation)) << model.Describe();
      double cells = 0;
      for (const Clique& node : triangulation.cliques) {
        cells += static_cast<double>(CellCount(model.domain, node).value());
        EXPECT_EQ(std::count_if(triangulation.cliques.begin(), triangulation.cliques.end(),
                                [&](const Clique& other) { return node.IsSubsetOf(other); }),
                  1);
      }
      EXPECT_EQ(triangulation.cells, cells);
      for (AttributeIndex attribute = 0; attribute < model.domain.size(); ++attribute) {
        EXPECT_TRUE(IsCovered(Clique({attribute}), triangulation));
      }
    }
  }
}

TEST(Triangulation, TheSmallestIsNoLargerThanAnyRule) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {});
    const double smallest = SmallestTriangulation(model.domain, model.cliques).cells;
    for (const EliminationRule rule : kRules) {
      EXPECT_LE(smallest, Triangulate(model.domain, model.cliques, rule).cells);
    }
  }
}

TEST(Triangulation, AddsOneChordToASquare) {
  const Domain domain = Domain::Create({{"a", 2}, {"b", 3}, {"c", 5}, {"d", 7}}).value();
  const std::vector<Clique> square = {Clique({0, 1}), Clique({1, 2}), Clique({2, 3}), Clique({3, 0})};
  // The chord a-c costs 2*3*5 + 2*5*7 = 100 cells, b-d 2*3*7 + 3*5*7 = 147.
  const Triangulation triangulation = SmallestTriangulation(domain, square);
  EXPECT_THAT(triangulation.cliques, ElementsAre(Clique({0, 1, 2}), Clique({0, 2, 3})));
  EXPECT_EQ(triangulation.cells, 100);
}

struct GraphOfCliques {
  Domain domain;
  std::vector<Clique> cliques;
};

// Up to 14 attributes of sizes as different as those of real tables, and about as many pairs and triples.
GraphOfCliques MakeRandomGraph(std::uint64_t seed) {
  SeededRandomSource random(seed, "graph of cliques");
  std::vector<Attribute> attributes(2 + random.NextBelow(13));
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    attributes[i] = {fmt::format("a{}", i), static_cast<std::int64_t>(1 + random.NextBelow(1 + random.NextBelow(40)))};
  }
  GraphOfCliques graph{Domain::Create(attributes).value(), {}};
  for (std::uint64_t count = random.NextBelow(2 * attributes.size()); count > 0; --count) {
    std::vector<AttributeIndex> members(2 + random.NextBelow(5) / 4);
    for (AttributeIndex& member : members) member = static_cast<AttributeIndex>(random.NextBelow(attributes.size()));
    graph.cliques.emplace_back(members);
  }
  return graph;
}

// Thousands of domains and sets of cliques, every pair and every node of the tree as a candidate. Among these are pairs
// that a node covers by a fill edge only, and with which every greedy order gives a larger tree.
TEST(HypotheticalSize, IsWhatBuildingWithTheCandidateGives) {
  int covered_and_larger = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const GraphOfCliques model = MakeRandomGraph(seed);
    const HypotheticalSize size(model.domain, model.cliques);
    const Triangulation current = SmallestTriangulation(model.domain, model.cliques);
    ASSERT_EQ(size.cells(), current.cells);
    std::vector<Clique> candidates = current.cliques;
    for (AttributeIndex a = 0; a < model.domain.size(); ++a) {
      for (AttributeIndex b = a; b < model.domain.size(); ++b) candidates.push_back(Clique({a, b}));
    }
    for (const Clique& candidate : candidates) {
      std::vector<Clique> enlarged = model.cliques;
      enlarged.push_back(candidate);
      const double built = SmallestTriangulation(model.domain, enlarged).cells;
      ASSERT_EQ(size.CellsWith(candidate), built) << "seed " << seed;
      covered_and_larger += IsCovered(candidate, current) && built > current.cells ? 1 : 0;
    }
  }
  EXPECT_GT(covered_and_larger, 0);
}

TEST(HypotheticalSize, DoesNotOverflowForAbsurdCandidates) {
  std::vector<Attribute> attributes;
  std::vector<AttributeIndex> all;
  for (int i = 0; i < 200; ++i) {
    attributes.push_back({fmt::format("a{}", i), 1000});
    all.push_back(i);
  }
  const Domain domain = Domain::Create(attributes).value();
  EXPECT_GT(HypotheticalSize(domain, {}).CellsWith(Clique(all)), 1e300);
}

}  // namespace
}  // namespace flaim
