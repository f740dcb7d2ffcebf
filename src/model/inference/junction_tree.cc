#include "model/inference/junction_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "model/inference/triangulation.h"

namespace flaim {
namespace {

// Neighbours of each clique in a spanning forest of maximal total separator size, which is what makes a set of cliques
// of a chordal graph a junction tree. Ties go to the earlier pair.
std::vector<std::vector<int>> MaximalSpanningForest(const std::vector<Clique>& cliques) {
  struct Edge {
    int shared;
    int from;
    int to;
  };
  std::vector<Edge> edges;
  const int count = static_cast<int>(cliques.size());
  for (int from = 0; from < count; ++from) {
    for (int to = from + 1; to < count; ++to) {
      const int shared = cliques[from].Intersect(cliques[to]).size();
      if (shared > 0) edges.push_back({shared, from, to});
    }
  }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.shared > b.shared; });

  std::vector<int> component(cliques.size());
  std::iota(component.begin(), component.end(), 0);
  std::vector<std::vector<int>> neighbours(cliques.size());
  for (const Edge& edge : edges) {
    const int merged = component[edge.from];
    const int absorbed = component[edge.to];
    if (merged == absorbed) continue;
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
    std::replace(component.begin(), component.end(), absorbed, merged);
  }
  return neighbours;
}

void SetMemoryOrder(const Domain& domain, const JunctionTree::Node* parent, JunctionTree::Node& node) {
  if (parent != nullptr) {
    for (const AttributeIndex attribute : parent->attributes) {
      if (node.clique.Contains(attribute)) node.attributes.push_back(attribute);
    }
  }
  node.separator_length = static_cast<int>(node.attributes.size());
  for (const AttributeIndex attribute : node.clique) {
    if (parent == nullptr || !parent->clique.Contains(attribute)) node.attributes.push_back(attribute);
  }
  std::stable_sort(node.attributes.begin() + node.separator_length, node.attributes.end(),
                   [&](AttributeIndex a, AttributeIndex b) { return domain[a].size < domain[b].size; });
  for (std::size_t i = 0; i < node.attributes.size(); ++i) {
    const std::int64_t size = domain[node.attributes[i]].size;
    node.sizes.push_back(size);
    (static_cast<int>(i) < node.separator_length ? node.rows : node.columns) *= size;
  }
}

// Hangs each component from its largest clique, parents before children.
std::vector<JunctionTree::Node> Root(const Domain& domain, const std::vector<Clique>& cliques,
                                     const std::vector<std::vector<int>>& neighbours) {
  const auto cells = [&](int clique) { return CellCount(domain, cliques[clique]).value(); };
  std::vector<int> by_size(cliques.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) { return cells(a) > cells(b); });

  std::vector<JunctionTree::Node> nodes;
  std::vector<bool> placed(cliques.size(), false);
  std::vector<std::pair<int, int>> pending;  // clique, parent node
  for (const int root : by_size) {
    if (placed[root]) continue;
    pending.emplace_back(root, -1);
    while (!pending.empty()) {
      const auto [clique, parent] = pending.back();
      pending.pop_back();
      placed[clique] = true;
      const int index = static_cast<int>(nodes.size());
      JunctionTree::Node node;
      node.clique = cliques[clique];
      node.parent = parent;
      SetMemoryOrder(domain, parent < 0 ? nullptr : &nodes[parent], node);
      nodes.push_back(std::move(node));
      if (parent >= 0) nodes[parent].children.push_back(index);
      for (const int neighbour : neighbours[clique]) {
        if (!placed[neighbour]) pending.emplace_back(neighbour, index);
      }
    }
  }
  return nodes;
}

}  // namespace

absl::StatusOr<JunctionTree> JunctionTree::Build(const Domain& domain, std::span<const Clique> cliques,
                                                 std::int64_t max_cells) {
  const Triangulation triangulation = SmallestTriangulation(domain, cliques);
  if (triangulation.cells > static_cast<double>(max_cells)) {
    return ResourceExhausted("the model would have {:.4g} cells, more than the {} that the memory limit allows",
                             triangulation.cells, max_cells);
  }
  return JunctionTree(domain, Root(domain, triangulation.cliques, MaximalSpanningForest(triangulation.cliques)));
}

JunctionTree::JunctionTree(Domain domain, std::vector<Node> nodes)
    : domain_(std::move(domain)), nodes_(std::move(nodes)) {
  for (const Node& node : nodes_) cells_ += node.cells();
}

int JunctionTree::NodeCovering(const Clique& clique) const {
  int best = -1;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    const Node& node = nodes_[i];
    if (!clique.IsSubsetOf(node.clique)) continue;
    if (best < 0 || node.cells() < nodes_[best].cells()) best = i;
  }
  return best;
}

}  // namespace flaim
