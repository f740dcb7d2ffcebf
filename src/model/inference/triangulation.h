#pragma once

#include <cstdint>
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
// is what SmallestTriangulation of the enlarged set would give.
class HypotheticalSize {
 public:
  HypotheticalSize(const Domain& domain, std::vector<Clique> cliques);

  double cells() const { return current_.cells; }
  double CellsWith(const Clique& candidate) const;

 private:
  const Domain domain_;
  std::vector<Clique> cliques_;
  Triangulation current_;
};

}  // namespace flaim
