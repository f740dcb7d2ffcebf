#include "model/inference/junction_tree.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/brute_force_testing.h"

namespace flaim {
namespace {

TEST(JunctionTree, HasTheRunningIntersectionProperty) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {});
    const JunctionTree tree = JunctionTree::Build(model.domain, model.cliques, 1 << 24).value();
    // The nodes that hold an attribute form a subtree exactly when all but one of them share it with their parent.
    for (AttributeIndex attribute = 0; attribute < model.domain.size(); ++attribute) {
      int tops = 0;
      for (const JunctionTree::Node& node : tree.nodes()) {
        if (!node.clique.Contains(attribute)) continue;
        if (node.parent < 0 || !tree.nodes()[node.parent].clique.Contains(attribute)) ++tops;
      }
      EXPECT_EQ(tops, 1) << "attribute " << attribute << " of " << model.Describe();
    }
    for (const Clique& clique : model.cliques) EXPECT_GE(tree.NodeCovering(clique), 0);
  }
}

TEST(JunctionTree, PutsTheSeparatorFirstInTheParentsOrder) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {});
    const JunctionTree tree = JunctionTree::Build(model.domain, model.cliques, 1 << 24).value();
    std::int64_t cells = 0;
    for (const JunctionTree::Node& node : tree.nodes()) {
      cells += node.cells();
      EXPECT_EQ(Clique(node.attributes), node.clique);
      const std::vector<AttributeIndex> separator(node.attributes.begin(),
                                                  node.attributes.begin() + node.separator_length);
      if (node.parent < 0) {
        EXPECT_TRUE(separator.empty());
        continue;
      }
      const JunctionTree::Node& parent = tree.nodes()[node.parent];
      EXPECT_EQ(Clique(separator), node.clique.Intersect(parent.clique));
      std::vector<AttributeIndex> in_parent_order;
      std::copy_if(parent.attributes.begin(), parent.attributes.end(), std::back_inserter(in_parent_order),
                   [&](AttributeIndex attribute) { return node.clique.Contains(attribute); });
      EXPECT_EQ(separator, in_parent_order);
    }
    EXPECT_EQ(cells, tree.cells());
  }
}

TEST(JunctionTree, HasOneRootForEachComponentAndParentsFirst) {
  const Domain domain = Domain::Create({{"a", 2}, {"b", 2}, {"c", 2}, {"d", 2}, {"alone", 3}}).value();
  const JunctionTree tree =
      JunctionTree::Build(domain, std::vector<Clique>{Clique({0, 1}), Clique({2, 3})}, 100).value();
  EXPECT_EQ(std::count_if(tree.nodes().begin(), tree.nodes().end(), [](const auto& node) { return node.parent < 0; }),
            3);
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) EXPECT_LT(tree.nodes()[i].parent, static_cast<int>(i));
}

TEST(JunctionTree, RefusesWhatExceedsTheLimitAndSaysHowLargeItWouldBe) {
  const Domain domain = Domain::Create({{"a", 1000}, {"b", 1000}}).value();
  const auto tree = JunctionTree::Build(domain, std::vector<Clique>{Clique({0, 1})}, 999'999);
  EXPECT_EQ(tree.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(tree.status().message()), testing::HasSubstr("1e+06"));
}

}  // namespace
}  // namespace flaim
