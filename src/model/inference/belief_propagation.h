#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/parallel.h"
#include "model/inference/attachments.h"
#include "model/inference/clique_layout.h"
#include "model/inference/junction_tree.h"

namespace flaim {

// Exact inference in p(x) = exp(sum over cliques q of theta_q(x_q)) / Z: from log-potentials to marginals over the same
// cliques, and log Z. Compiled once for a tree and a set of cliques; a run then allocates nothing, on any number of
// threads.
//
// How it stays exact and fast. The upward pass turns each node's table into the conditional distribution of its own
// attributes given the separator: potentials and the children's messages are added in log space, and every stretch of
// cells is shifted by its own maximum before the one exp per cell, so nothing overflows and nothing that matters
// underflows, whatever the magnitude of the potentials; -infinity (a structural zero) is an ordinary value. The
// downward pass multiplies these conditionals by the separator's marginal, which the parent knows by then. There is no
// division of messages, and logarithms are taken of separators only.
//
// Not thread-safe: a run uses the buffers of the object. Large nodes go upward on all threads of the team; the downward
// pass, which has no exp, on one. Results do not depend on the number of threads.
class BeliefPropagation {
 public:
  // REQUIRES: every clique of the layout is covered by a node of the tree.
  BeliefPropagation(JunctionTree tree, CliqueLayout layout);

  const JunctionTree& tree() const { return tree_; }
  const CliqueLayout& layout() const { return layout_; }

  // Fills `marginals` with probabilities and returns log Z, which is -infinity when the potentials exclude every
  // record (the marginals are then zero). REQUIRES: both spans have layout().cells() entries.
  double Run(std::span<const double> potentials, std::span<double> marginals, Parallel& parallel);

  // The maximum over records of sum_q theta_q(x_q): the support function of the marginal polytope, from which
  // Estimate() certifies how far it is from the optimum.
  double MaximumScore(std::span<const double> potentials, Parallel& parallel);

  // After Run: how the marginals change with the potentials, d marginals = Cov * direction, where Cov is the covariance
  // of the cells' indicators. Costs less than a run: expectations are passed up and down instead of logarithms, so
  // there is no exp. REQUIRES: both spans have layout().cells() entries.
  void CovarianceTimes(std::span<const double> direction, std::span<double> product, Parallel& parallel);

  // After Run: the joint distribution of a node's attributes, in the node's memory order.
  std::span<const double> NodeMarginal(int node) const;

 private:
  struct NodePlan {
    std::int64_t first_cell;     // in beliefs_
    std::int64_t first_row;      // in message_ and separator_marginal_
    std::int64_t first_stretch;  // in stretch_*
    std::int64_t rows;
    std::int64_t stretches_per_row;
    std::int64_t stretch_cells;
    std::int64_t stretches_per_block;
    Attachments attachments;

    std::int64_t stretches() const { return rows * stretches_per_row; }
    std::int64_t cells() const { return stretches() * stretch_cells; }
    std::int64_t blocks() const { return (stretches() + stretches_per_block - 1) / stretches_per_block; }
  };

  void PlanNode(int node, std::vector<Attachments::Member> attached);
  // body(block) for each block of the node, on all threads when it is large.
  void ForEachBlock(const NodePlan& plan, Parallel& parallel, absl::FunctionRef<void(std::int64_t)> body);
  // The cells of a block, in a table over all nodes.
  std::span<double> Block(const NodePlan& plan, std::int64_t block, std::vector<double>& table) const;
  // The same, holding the sum of everything that is attached to the node.
  std::span<double> GatherBlock(const NodePlan& plan, std::int64_t block, std::vector<double>& table) const;
  void SendUp(NodePlan& plan, std::span<const double> potentials, Parallel& parallel);
  void SendDown(NodePlan& plan, std::span<double> marginals);
  void ExpectUp(NodePlan& plan, std::span<const double> direction, Parallel& parallel);
  void ExpectDown(NodePlan& plan, std::span<double> product);
  // What a child hears from above is everything that is expected at its separator but what it said itself.
  void SubtractBelow(const NodePlan& child);

  JunctionTree tree_;
  CliqueLayout layout_;
  std::vector<NodePlan> plans_;
  std::vector<double> beliefs_;
  std::vector<double> scores_;          // one per cell, for MaximumScore and CovarianceTimes
  std::vector<double> message_;         // log, one per row
  std::vector<double> expected_below_;  // one per row, for CovarianceTimes
  std::vector<double> expected_above_;
  std::vector<double> separator_marginal_;  // one per row
  std::vector<double> stretch_max_;
  std::vector<double> stretch_sum_;
};

}  // namespace flaim
