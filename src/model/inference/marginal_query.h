#pragma once

#include <map>
#include <utility>
#include <vector>

#include "model/inference/belief_propagation.h"
#include "model/inference/conditional_table.h"
#include "model/inference/levels.h"

namespace flaim {

// Marginals of a calibrated model over any clique: inside a node, across nodes, across components. Many queries share
// their work.
//
// A query is answered at the lowest node above all of its attributes. What lies below enters as conditional tables
// P(queried attributes below | separator). Each is needed by every query that asks for the same attributes from the
// same side, so they are kept, up to kMaxKeptCells: beyond that they are forgotten, and made again when they are
// needed. All tables are probabilities: nothing overflows or cancels.
//
// Given levels, the oracle is over bins and the answers are over values: a marginal over bins, refined at the end.
//
// Valid while `oracle`, which must outlive this as the levels must, is not run again.
class MarginalQuery {
 public:
  explicit MarginalQuery(const BeliefPropagation& oracle, const Levels* levels = nullptr);

  // 128 MiB.
  static constexpr std::size_t kMaxKeptCells = std::size_t{1} << 24;

  // P(clique), row-major in sorted attribute order. REQUIRES: the attributes are in the domain.
  std::vector<double> Answer(const Clique& clique);

 private:
  // P(queried | separator to the parent), for attributes at or below the node that are not in the separator.
  const OrderedTable& Conditional(int node, const Clique& queried);
  // Adds the queried attributes below `node` to `table`, a table over the node, and sums out all but `kept`.
  OrderedTable Descend(int node, OrderedTable table, const Clique& queried, const Clique& kept);
  OrderedTable AnswerWithin(int root, const Clique& queried);

  const BeliefPropagation& oracle_;
  const JunctionTree& tree_;
  const Levels* levels_;
  std::vector<Clique> below_;  // attributes at or below a node that are not in the separator to its parent
  std::map<std::pair<int, Clique>, OrderedTable> conditionals_;
  std::size_t kept_cells_ = 0;  // of these
};

}  // namespace flaim
