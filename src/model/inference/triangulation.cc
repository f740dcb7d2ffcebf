#include "model/inference/triangulation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

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
  EliminationGraph(const Domain& domain, std::span<const Clique> cliques)
      : domain_(domain), closed_neighbours_(static_cast<std::size_t>(domain.size()), AttributeSet(domain.size())) {
    for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute)
      ClosedNeighbours(attribute).Insert(attribute);
    for (const Clique& clique : cliques) {
      AttributeSet members(domain.size());
      for (const AttributeIndex attribute : clique) members.Insert(attribute);
      for (const AttributeIndex attribute : clique) ClosedNeighbours(attribute).InsertAll(members);
    }
  }

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
  double Size(AttributeIndex attribute) const { return static_cast<double>(domain_[attribute].size); }

  template <typename EdgeCost>
  double FillCost(AttributeIndex attribute, const EdgeCost& edge_cost) const {
    const AttributeSet& clique = CliqueOf(attribute);
    double twice = 0;
    clique.ForEach([&](AttributeIndex a) {
      clique.ForEachNotIn(CliqueOf(a), [&](AttributeIndex b) { twice += edge_cost(a, b); });
    });
    return twice;
  }

  const Domain& domain_;
  std::vector<AttributeSet> closed_neighbours_;
};

// The cliques met along the greedy order, without those inside an earlier one. A clique met later is never a strict
// superset of an earlier one, because the earlier one holds an attribute that is gone by then.
std::vector<AttributeSet> EliminationCliques(EliminationGraph& graph, int attributes, EliminationRule rule) {
  std::vector<AttributeSet> maximal;
  std::vector<AttributeIndex> left(attributes);
  for (AttributeIndex attribute = 0; attribute < attributes; ++attribute) left[attribute] = attribute;
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

Clique ToClique(const AttributeSet& set) {
  std::vector<AttributeIndex> attributes;
  set.ForEach([&](AttributeIndex attribute) { attributes.push_back(attribute); });
  return Clique(std::move(attributes));
}

}  // namespace

Triangulation Triangulate(const Domain& domain, std::span<const Clique> cliques, EliminationRule rule) {
  EliminationGraph graph(domain, cliques);
  Triangulation result;
  for (const AttributeSet& clique : EliminationCliques(graph, domain.size(), rule)) {
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

HypotheticalSize::HypotheticalSize(const Domain& domain, std::vector<Clique> cliques)
    : domain_(domain), cliques_(std::move(cliques)), current_(SmallestTriangulation(domain_, cliques_)) {}

double HypotheticalSize::CellsWith(const Clique& candidate) const {
  const bool fits = std::any_of(current_.cliques.begin(), current_.cliques.end(),
                                [&](const Clique& clique) { return candidate.IsSubsetOf(clique); });
  if (fits) return current_.cells;
  std::vector<Clique> enlarged = cliques_;
  enlarged.push_back(candidate);
  return SmallestTriangulation(domain_, enlarged).cells;
}

}  // namespace flaim
