#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "data/table/domain.h"
#include "marginal/clique.h"

namespace flaim {

// Which attribute to eliminate next. Each rule is greedy and breaks ties by the lower index, so all are deterministic.
enum class EliminationRule : std::uint8_t {
  kFewestCells,        // the clique that eliminating it creates has the fewest cells
  kFewestFillEdges,    // it adds the fewest edges
  kLightestFillEdges,  // it adds edges of the least weight, an edge weighing the product of its ends' sizes
  kFewestNeighbours,   // it has the fewest neighbours
};

// The maximal cliques of a chordal graph that covers every given clique and every attribute of the domain: the nodes
// of a junction tree. Sorted.
struct Triangulation {
  std::vector<Clique> cliques;
  double cells = 0;  // the sum over the cliques of their number of cells; a double, because bad orders overflow
};

// By one rule.
Triangulation Triangulate(const Domain& domain, std::span<const Clique> cliques, EliminationRule rule);

// The smallest of all rules. Never larger than any of them; finding the true minimum is NP-hard and not attempted.
Triangulation SmallestTriangulation(const Domain& domain, std::span<const Clique> cliques);

// Answers "how large would the tree be with one more clique" for many candidates over one set of cliques. The answer
// is what SmallestTriangulation of the enlarged set gives, to the cell: what fits here can be built. A candidate that a
// node of the tree covers is no exception: it may join attributes that were joined by fill edges only, and the greedy
// orders over the graph with that edge may be worse.
//
// Cheap where the graph falls into many components: a greedy order takes the attributes of a component in the same
// order whatever the others are, so only what the candidate joins is triangulated anew. Several threads may ask at
// once.
class HypotheticalSize {
 public:
  HypotheticalSize(const Domain& domain, const std::vector<Clique>& cliques);

  double cells() const { return cells_; }
  double CellsWith(const Clique& candidate) const;

 private:
  // Attributes that cliques join, directly or not.
  struct Component {
    std::vector<AttributeIndex> attributes;  // sorted
    std::vector<Clique> cliques;
    std::vector<double> cells_by_rule;
  };

  void AddComponentOf(AttributeIndex first);
  std::vector<double> CellsByRule(const Component& component) const;
  // By the best rule for all, with one component in the place of those that it replaces.
  double CellsWithOneMore(const Component& merged, const std::set<int>& replaced) const;
  // Whether the cliques join all its attributes already, pair by pair: the graph stays the same, so the tree does.
  bool IsJoined(const Clique& candidate) const;

  std::vector<double> sizes_;
  std::vector<Clique> neighbours_;  // of each attribute, and itself
  std::vector<int> component_of_;
  std::vector<Component> components_;
  double cells_ = 0;
};

}  // namespace flaim
