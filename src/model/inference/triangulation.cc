#include "model/inference/triangulation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <set>

#include "base/check.h"

namespace flaim {
namespace {

constexpr std::array kAllRules = {EliminationRule::kFewestCells, EliminationRule::kFewestFillEdges,
                                  EliminationRule::kLightestFillEdges, EliminationRule::kFewestNeighbours};

// A set of attributes as bits.
class AttributeSet {
 public:
  explicit AttributeSet(int capacity) : words_((capacity + 63) / 64, 0) {}

  void Insert(AttributeIndex attribute) { words_[Word(attribute)] |= Bit(attribute); }
  void Erase(AttributeIndex attribute) { words_[Word(attribute)] &= ~Bit(attribute); }
  void InsertAll(const AttributeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  int size() const {
    int count = 0;
    for (const std::uint64_t word : words_) count += std::popcount(word);
    return count;
  }
  bool IsSubsetOf(const AttributeSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    }
    return true;
  }

  template <typename Visit>
  void ForEach(const Visit& visit) const {
    ForEachBit([](std::uint64_t word, std::size_t) { return word; }, visit);
  }
  template <typename Visit>
  void ForEachNotIn(const AttributeSet& other, const Visit& visit) const {
    ForEachBit([&](std::uint64_t word, std::size_t i) { return word & ~other.words_[i]; }, visit);
  }

 private:
  static std::size_t Word(AttributeIndex attribute) { return attribute / 64; }
  static std::uint64_t Bit(AttributeIndex attribute) { return std::uint64_t{1} << (attribute % 64); }

  template <typename Mask, typename Visit>
  void ForEachBit(const Mask& mask, const Visit& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = mask(words_[i], i); word != 0; word &= word - 1) {
        visit(static_cast<AttributeIndex>(i * 64) + std::countr_zero(word));
      }
    }
  }

  std::vector<std::uint64_t> words_;
};

// The attributes that are not yet eliminated, joined where some clique holds both.
class EliminationGraph {
 public:
  EliminationGraph(std::span<const double> sizes, std::span<const Clique> cliques)
      : sizes_(sizes), closed_neighbours_(sizes.size(), AttributeSet(attributes())) {
    for (AttributeIndex attribute = 0; attribute < attributes(); ++attribute)
      ClosedNeighbours(attribute).Insert(attribute);
    for (const Clique& clique : cliques) {
      AttributeSet members(attributes());
      for (const AttributeIndex attribute : clique) members.Insert(attribute);
      for (const AttributeIndex attribute : clique) ClosedNeighbours(attribute).InsertAll(members);
    }
  }

  int attributes() const { return static_cast<int>(sizes_.size()); }

  // The attribute and its neighbours: the clique that eliminating it creates.
  const AttributeSet& CliqueOf(AttributeIndex attribute) const { return closed_neighbours_[attribute]; }

  double Cost(AttributeIndex attribute, EliminationRule rule) const {
    switch (rule) {
      case EliminationRule::kFewestCells:
        return Cells(CliqueOf(attribute));
      case EliminationRule::kFewestNeighbours:
        return CliqueOf(attribute).size();
      case EliminationRule::kFewestFillEdges:
        return FillCost(attribute, [](AttributeIndex, AttributeIndex) { return 1.0; });
      case EliminationRule::kLightestFillEdges:
        return FillCost(attribute, [this](AttributeIndex a, AttributeIndex b) { return Size(a) * Size(b); });
    }
    return 0;
  }

  void Eliminate(AttributeIndex attribute) {
    const AttributeSet clique = CliqueOf(attribute);
    clique.ForEach([&](AttributeIndex member) {
      ClosedNeighbours(member).InsertAll(clique);
      ClosedNeighbours(member).Erase(attribute);
    });
  }

  double Cells(const AttributeSet& clique) const {
    double cells = 1;
    clique.ForEach([&](AttributeIndex attribute) { cells *= Size(attribute); });
    return cells;
  }

 private:
  AttributeSet& ClosedNeighbours(AttributeIndex attribute) { return closed_neighbours_[attribute]; }
  double Size(AttributeIndex attribute) const { return sizes_[attribute]; }

  template <typename EdgeCost>
  double FillCost(AttributeIndex attribute, const EdgeCost& edge_cost) const {
    const AttributeSet& clique = CliqueOf(attribute);
    double twice = 0;
    clique.ForEach([&](AttributeIndex a) {
      clique.ForEachNotIn(CliqueOf(a), [&](AttributeIndex b) { twice += edge_cost(a, b); });
    });
    return twice;
  }

  std::span<const double> sizes_;
  std::vector<AttributeSet> closed_neighbours_;
};

// The cliques met along the greedy order, without those inside an earlier one. A clique met later is never a strict
// superset of an earlier one, because the earlier one holds an attribute that is gone by then.
std::vector<AttributeSet> EliminationCliques(EliminationGraph& graph, EliminationRule rule) {
  std::vector<AttributeSet> maximal;
  std::vector<AttributeIndex> left(graph.attributes());
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty()) {
    auto best = left.begin();
    double best_cost = std::numeric_limits<double>::infinity();
    for (auto candidate = left.begin(); candidate != left.end(); ++candidate) {
      const double cost = graph.Cost(*candidate, rule);
      if (cost < best_cost) {
        best = candidate;
        best_cost = cost;
      }
    }
    const AttributeSet& clique = graph.CliqueOf(*best);
    const bool is_inside = std::any_of(maximal.begin(), maximal.end(),
                                       [&](const AttributeSet& other) { return clique.IsSubsetOf(other); });
    if (!is_inside) maximal.push_back(clique);
    graph.Eliminate(*best);
    left.erase(best);
  }
  return maximal;
}

std::vector<double> SizesOf(const Domain& domain) {
  std::vector<double> sizes;
  for (const Attribute& attribute : domain.attributes()) sizes.push_back(static_cast<double>(attribute.size));
  return sizes;
}

Clique ToClique(const AttributeSet& set) {
  std::vector<AttributeIndex> attributes;
  set.ForEach([&](AttributeIndex attribute) { attributes.push_back(attribute); });
  return Clique(std::move(attributes));
}

}  // namespace

Triangulation Triangulate(const Domain& domain, std::span<const Clique> cliques, EliminationRule rule) {
  const std::vector<double> sizes = SizesOf(domain);
  EliminationGraph graph(sizes, cliques);
  Triangulation result;
  for (const AttributeSet& clique : EliminationCliques(graph, rule)) {
    result.cells += graph.Cells(clique);
    result.cliques.push_back(ToClique(clique));
  }
  std::sort(result.cliques.begin(), result.cliques.end());
  return result;
}

Triangulation SmallestTriangulation(const Domain& domain, std::span<const Clique> cliques) {
  Triangulation best;
  best.cells = std::numeric_limits<double>::infinity();
  for (const EliminationRule rule : kAllRules) {
    Triangulation candidate = Triangulate(domain, cliques, rule);
    if (candidate.cells < best.cells) best = std::move(candidate);
  }
  return best;
}

HypotheticalSize::HypotheticalSize(const Domain& domain, const std::vector<Clique>& cliques)
    : sizes_(SizesOf(domain)), component_of_(sizes_.size(), -1) {
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    neighbours_.push_back(Clique({attribute}));
  }
  for (const Clique& clique : cliques) {
    for (const AttributeIndex attribute : clique) neighbours_[attribute] = neighbours_[attribute].Union(clique);
  }
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    if (component_of_[attribute] < 0) AddComponentOf(attribute);
  }
  for (const Clique& clique : cliques) {
    if (clique.size() > 0) components_[component_of_[clique.attributes().front()]].cliques.push_back(clique);
  }
  for (Component& component : components_) component.cells_by_rule = CellsByRule(component);
  cells_ = CellsWithOneMore(Component(), {});
}

void HypotheticalSize::AddComponentOf(AttributeIndex first) {
  Component component;
  component.attributes.push_back(first);
  component_of_[first] = static_cast<int>(components_.size());
  for (std::size_t next = 0; next < component.attributes.size(); ++next) {
    for (const AttributeIndex neighbour : neighbours_[component.attributes[next]]) {
      if (component_of_[neighbour] >= 0) continue;
      component_of_[neighbour] = static_cast<int>(components_.size());
      component.attributes.push_back(neighbour);
    }
  }
  std::sort(component.attributes.begin(), component.attributes.end());
  components_.push_back(std::move(component));
}

std::vector<double> HypotheticalSize::CellsByRule(const Component& component) const {
  const std::vector<AttributeIndex>& attributes = component.attributes;
  std::vector<double> sizes;
  for (const AttributeIndex attribute : attributes) sizes.push_back(sizes_[attribute]);
  std::vector<Clique> cliques;
  for (const Clique& clique : component.cliques) {
    std::vector<AttributeIndex> places;
    for (const AttributeIndex attribute : clique) {
      const auto found = std::lower_bound(attributes.begin(), attributes.end(), attribute);
      places.push_back(static_cast<AttributeIndex>(found - attributes.begin()));
    }
    cliques.emplace_back(std::move(places));
  }
  std::vector<double> cells;
  for (const EliminationRule rule : kAllRules) {
    EliminationGraph graph(sizes, cliques);
    double sum = 0;
    for (const AttributeSet& clique : EliminationCliques(graph, rule)) sum += graph.Cells(clique);
    cells.push_back(sum);
  }
  return cells;
}

double HypotheticalSize::CellsWithOneMore(const Component& merged, const std::set<int>& replaced) const {
  std::vector<double> cells = CellsByRule(merged);
  for (int i = 0; i < static_cast<int>(components_.size()); ++i) {
    if (replaced.contains(i)) continue;
    for (std::size_t rule = 0; rule < cells.size(); ++rule) cells[rule] += components_[i].cells_by_rule[rule];
  }
  return *std::min_element(cells.begin(), cells.end());
}

bool HypotheticalSize::IsJoined(const Clique& candidate) const {
  return std::all_of(candidate.begin(), candidate.end(),
                     [&](AttributeIndex attribute) { return candidate.IsSubsetOf(neighbours_[attribute]); });
}

double HypotheticalSize::CellsWith(const Clique& candidate) const {
  if (IsJoined(candidate)) return cells_;
  std::set<int> replaced;
  for (const AttributeIndex attribute : candidate) replaced.insert(component_of_[attribute]);
  Component merged;
  merged.cliques.push_back(candidate);
  for (const int i : replaced) {
    const auto& [attributes, cliques, cells_by_rule] = components_[i];
    merged.attributes.insert(merged.attributes.end(), attributes.begin(), attributes.end());
    merged.cliques.insert(merged.cliques.end(), cliques.begin(), cliques.end());
  }
  std::sort(merged.attributes.begin(), merged.attributes.end());
  return CellsWithOneMore(merged, replaced);
}

}  // namespace flaim
