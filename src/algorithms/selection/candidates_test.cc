#include "algorithms/selection/candidates.h"

#include <algorithm>
#include <set>

#include "base/seeded_random_source.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

struct Setting {
  Domain domain;
  std::vector<Clique> model_cliques;
  std::vector<WeightedQuery> candidates;
};

Clique RandomClique(const Domain& domain, int max_attributes, RandomSource& random) {
  std::vector<AttributeIndex> attributes;
  const int size = 1 + static_cast<int>(random.NextBelow(max_attributes));
  for (int i = 0; i < size; ++i) attributes.push_back(static_cast<AttributeIndex>(random.NextBelow(domain.size())));
  return Clique(attributes);
}

Setting MakeSetting(std::uint64_t seed) {
  SeededRandomSource random(seed, "candidates");
  std::vector<Attribute> attributes;
  for (int i = 0; i < 8; ++i) attributes.push_back({fmt::format("c{}", i), 1 + std::int64_t(random.NextBelow(9))});
  Setting setting{Domain::Create(attributes).value(), {}, {}};
  for (int i = 0; i < 6; ++i) setting.model_cliques.push_back(RandomClique(setting.domain, 3, random));
  for (int i = 0; i < 25; ++i) setting.candidates.push_back({RandomClique(setting.domain, 4, random), 1});
  return setting;
}

std::int64_t TreeCells(const Setting& setting, const std::vector<Clique>& cliques) {
  return JunctionTree::Build(setting.domain, cliques, std::int64_t{1} << 40)->cells();
}

TEST(AffordableCandidates, AreThoseWhoseTreeFits) {
  int affordable_ones = 0;
  int others = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Setting setting = MakeSetting(seed);
    const JunctionTree tree = JunctionTree::Build(setting.domain, setting.model_cliques, 1 << 30).value();
    for (const std::int64_t max_cells : {tree.cells(), 2 * tree.cells(), 10 * tree.cells()}) {
      const std::vector<std::size_t> affordable =
          AffordableCandidates(setting.candidates, tree, setting.model_cliques, max_cells);
      ASSERT_TRUE(std::is_sorted(affordable.begin(), affordable.end()));
      for (std::size_t i = 0; i < setting.candidates.size(); ++i) {
        std::vector<Clique> enlarged = setting.model_cliques;
        enlarged.push_back(setting.candidates[i].clique);
        const bool fits = TreeCells(setting, enlarged) <= max_cells;
        const bool is_inside = tree.NodeCovering(setting.candidates[i].clique) >= 0;
        const bool is_affordable = std::binary_search(affordable.begin(), affordable.end(), i);
        EXPECT_EQ(is_affordable, fits || is_inside) << "seed " << seed << ", candidate " << i;
        (is_affordable ? affordable_ones : others) += 1;
      }
    }
  }
  EXPECT_GT(affordable_ones, 500);
  EXPECT_GT(others, 500);
}

TEST(AffordableCandidates, AlwaysHoldWhatTheModelCoversAlready) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Setting setting = MakeSetting(seed);
    const JunctionTree tree = JunctionTree::Build(setting.domain, setting.model_cliques, 1 << 30).value();
    setting.candidates.clear();
    for (const JunctionTree::Node& node : tree.nodes()) {
      setting.candidates.push_back({node.clique, 1});
      for (const AttributeIndex attribute : node.clique) setting.candidates.push_back({Clique({attribute}), 1});
    }
    EXPECT_EQ(AffordableCandidates(setting.candidates, tree, setting.model_cliques, 0).size(),
              setting.candidates.size());
  }
}

}  // namespace
}  // namespace flaim
