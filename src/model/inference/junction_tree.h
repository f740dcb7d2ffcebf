#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "data/table/domain.h"
#include "marginal/clique.h"

namespace flaim {

// A tree (or forest) of cliques with the running-intersection property: an attribute that two nodes share is in every
// node between them. Covers every attribute of the domain. An immutable value; equal inputs give equal trees.
//
// Each node also fixes how its table lies in memory, because that is what makes belief propagation fast: first the
// attributes shared with the parent, in the parent's order, then the rest, the largest last. So the cells that belong
// to one state of the separator are contiguous, and a separator's own table has the same order on both sides.
class JunctionTree {
 public:
  struct Node {
    Clique clique;
    std::vector<AttributeIndex> attributes;  // memory order, outermost first
    std::vector<std::int64_t> sizes;         // of `attributes`
    int separator_length = 0;                // how many leading attributes are shared with the parent
    int parent = -1;                         // -1 for a root
    std::vector<int> children;
    std::int64_t rows = 1;     // states of the separator
    std::int64_t columns = 1;  // states of the rest

    std::int64_t cells() const { return rows * columns; }
  };

  // Nodes are the cliques of the smallest triangulation found. Refuses a tree of more than max_cells cells in all.
  static absl::StatusOr<JunctionTree> Build(const Domain& domain, std::span<const Clique> cliques,
                                            std::int64_t max_cells);

  const Domain& domain() const { return domain_; }
  // A parent comes before its children.
  const std::vector<Node>& nodes() const { return nodes_; }
  std::int64_t cells() const { return cells_; }

  // The smallest node that contains the clique, or -1 when none does.
  int NodeCovering(const Clique& clique) const;

 private:
  JunctionTree(Domain domain, std::vector<Node> nodes);

  Domain domain_;
  std::vector<Node> nodes_;
  std::int64_t cells_ = 0;
};

}  // namespace flaim
