#include "model/inference/belief_propagation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "model/kernels/row_exp.h"

namespace flaim {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// A block of cells that stays in the first-level cache from the sum of its potentials to its exponentials.
constexpr std::int64_t kBlockCells = 2048;
// Below this many cells, waking a second thread costs more than it saves.
constexpr std::int64_t kParallelCells = 1 << 16;

// Cells of the innermost attributes that make up one stretch: as many attributes of the node's own as fit a block.
std::int64_t StretchCells(const JunctionTree::Node& node) {
  std::int64_t cells = 1;
  for (int i = static_cast<int>(node.sizes.size()) - 1; i >= node.separator_length; --i) {
    if (cells > 1 && cells * node.sizes[i] > kBlockCells) break;
    cells *= node.sizes[i];
  }
  return cells;
}

}  // namespace

BeliefPropagation::BeliefPropagation(JunctionTree tree, CliqueLayout layout)
    : tree_(std::move(tree)), layout_(std::move(layout)) {
  const std::vector<JunctionTree::Node>& nodes = tree_.nodes();
  std::vector<std::vector<Attachments::Member>> attached(nodes.size());
  for (int clique = 0; clique < layout_.size(); ++clique) {
    const Clique& attributes = layout_.cliques()[clique];
    const int node = tree_.NodeCovering(attributes);
    CHECK(node >= 0, "no node of the tree covers a clique of the layout");
    attached[node].push_back({attributes.attributes(), Attachments::Kind::kClique, layout_.offset(clique)});
  }
  std::int64_t first_row = 0;
  for (const JunctionTree::Node& node : nodes) {
    if (node.parent >= 0) {
      attached[node.parent].push_back({{node.attributes.begin(), node.attributes.begin() + node.separator_length},
                                       Attachments::Kind::kSeparator,
                                       first_row});
    }
    first_row += node.rows;
  }
  for (int node = 0; node < static_cast<int>(nodes.size()); ++node) PlanNode(node, std::move(attached[node]));
}

void BeliefPropagation::PlanNode(int node, std::vector<Attachments::Member> attached) {
  const JunctionTree::Node& shape = tree_.nodes()[node];
  const std::int64_t stretch_cells = StretchCells(shape);
  NodePlan plan{.first_cell = std::ssize(beliefs_),
                .first_row = std::ssize(message_),
                .first_stretch = std::ssize(stretch_max_),
                .rows = shape.rows,
                .stretches_per_row = shape.columns / stretch_cells,
                .stretch_cells = stretch_cells,
                .stretches_per_block = std::max<std::int64_t>(1, kBlockCells / stretch_cells),
                .attachments = Attachments(tree_.domain(), shape.attributes, std::move(attached))};
  beliefs_.resize(beliefs_.size() + plan.cells());
  scores_.resize(beliefs_.size());
  message_.resize(message_.size() + plan.rows);
  separator_marginal_.resize(message_.size());
  expected_below_.resize(message_.size());
  expected_above_.resize(message_.size());
  stretch_max_.resize(stretch_max_.size() + plan.stretches());
  stretch_sum_.resize(stretch_max_.size());
  plans_.push_back(std::move(plan));
}

void BeliefPropagation::ForEachBlock(const NodePlan& plan, Parallel& parallel,
                                     absl::FunctionRef<void(std::int64_t)> body) {
  if (plan.cells() < kParallelCells || parallel.threads() == 1) {
    for (std::int64_t block = 0; block < plan.blocks(); ++block) body(block);
    return;
  }
  const std::int64_t blocks_at_once = std::max<std::int64_t>(1, plan.blocks() / (8 * parallel.threads()));
  const std::int64_t turns = (plan.blocks() + blocks_at_once - 1) / blocks_at_once;
  parallel.For(turns, [&](std::size_t turn, int) {
    const auto first = static_cast<std::int64_t>(turn) * blocks_at_once;
    const std::int64_t last = std::min(first + blocks_at_once, plan.blocks());
    for (std::int64_t block = first; block < last; ++block) body(block);
  });
}

double BeliefPropagation::Run(std::span<const double> potentials, std::span<double> marginals, Parallel& parallel) {
  CHECK(std::ssize(potentials) == layout_.cells() && std::ssize(marginals) == layout_.cells());
  for (auto plan = plans_.rbegin(); plan != plans_.rend(); ++plan) SendUp(*plan, potentials, parallel);

  double log_partition = 0;
  for (std::size_t node = 0; node < plans_.size(); ++node) {
    if (tree_.nodes()[node].parent >= 0) continue;
    log_partition += message_[plans_[node].first_row];
    separator_marginal_[plans_[node].first_row] = 1;
  }
  if (log_partition == kMinusInfinity) {
    std::fill(marginals.begin(), marginals.end(), 0.0);
    return log_partition;
  }
  for (NodePlan& plan : plans_) SendDown(plan, marginals);
  return log_partition;
}

std::span<double> BeliefPropagation::Block(const NodePlan& plan, std::int64_t block, std::vector<double>& table) const {
  const std::int64_t first = block * plan.stretches_per_block * plan.stretch_cells;
  const std::int64_t count = std::min(plan.stretches_per_block * plan.stretch_cells, plan.cells() - first);
  return std::span(table).subspan(plan.first_cell + first, count);
}

std::span<double> BeliefPropagation::GatherBlock(const NodePlan& plan, std::int64_t block,
                                                 std::vector<double>& table) const {
  const std::span<double> cells = Block(plan, block, table);
  std::fill(cells.begin(), cells.end(), 0.0);
  plan.attachments.AddTo(block * plan.stretches_per_block * plan.stretch_cells, cells);
  return cells;
}

void BeliefPropagation::SendUp(NodePlan& plan, std::span<const double> potentials, Parallel& parallel) {
  const std::span stretch_max = std::span(stretch_max_).subspan(plan.first_stretch, plan.stretches());
  const std::span stretch_sum = std::span(stretch_sum_).subspan(plan.first_stretch, plan.stretches());
  plan.attachments.Load(potentials, message_);
  ForEachBlock(plan, parallel, [&](std::int64_t block) {
    const std::span<double> cells = GatherBlock(plan, block, beliefs_);
    const std::int64_t first = block * plan.stretches_per_block;
    const std::int64_t count = std::ssize(cells) / plan.stretch_cells;
    kernels::ShiftedExpRows(cells, plan.stretch_cells, stretch_max.subspan(first, count),
                            stretch_sum.subspan(first, count));
  });

  // message = log of the row's total weight. Afterwards stretch_max holds what turns a stretch into its share of the
  // row: exp(maximum of the stretch - message).
  const std::span message = std::span(message_).subspan(plan.first_row, plan.rows);
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    const std::span maxima = stretch_max.subspan(row * plan.stretches_per_row, plan.stretches_per_row);
    const std::span sums = stretch_sum.subspan(row * plan.stretches_per_row, plan.stretches_per_row);
    const double largest = *std::max_element(maxima.begin(), maxima.end());
    double total = 0;
    for (std::int64_t i = 0; i < plan.stretches_per_row; ++i) {
      total += plan.stretches_per_row == 1 || maxima[i] == kMinusInfinity ? sums[i]
                                                                          : sums[i] * std::exp(maxima[i] - largest);
    }
    for (std::int64_t i = 0; i < plan.stretches_per_row; ++i) {
      maxima[i] = maxima[i] == kMinusInfinity ? 0 : std::exp(maxima[i] - largest) / total;
    }
    sums[0] = largest;
    message[row] = total;
  }
  kernels::Log(message);
  for (std::int64_t row = 0; row < plan.rows; ++row) message[row] += stretch_sum[row * plan.stretches_per_row];
}

void BeliefPropagation::SendDown(NodePlan& plan, std::span<double> marginals) {
  const std::span scale = std::span(stretch_max_).subspan(plan.first_stretch, plan.stretches());
  const std::span separator = std::span(separator_marginal_).subspan(plan.first_row, plan.rows);
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    for (double& share : scale.subspan(row * plan.stretches_per_row, plan.stretches_per_row)) share *= separator[row];
  }
  plan.attachments.Clear();
  for (std::int64_t block = 0; block < plan.blocks(); ++block) {
    const std::int64_t first = block * plan.stretches_per_block;
    const std::span<double> cells = Block(plan, block, beliefs_);
    kernels::ScaleRows(cells, plan.stretch_cells, scale.subspan(first, std::ssize(cells) / plan.stretch_cells));
    plan.attachments.AddFrom(first * plan.stretch_cells, cells);
  }
  plan.attachments.Store(marginals, separator_marginal_);
}

double BeliefPropagation::MaximumScore(std::span<const double> potentials, Parallel& parallel) {
  double score = 0;
  for (std::size_t node = plans_.size(); node-- > 0;) {
    NodePlan& plan = plans_[node];
    plan.attachments.Load(potentials, message_);
    const std::span stretch_max = std::span(stretch_max_).subspan(plan.first_stretch, plan.stretches());
    ForEachBlock(plan, parallel, [&](std::int64_t block) {
      const std::span<double> cells = GatherBlock(plan, block, scores_);
      const std::int64_t count = std::ssize(cells) / plan.stretch_cells;
      kernels::MaxRows(cells, plan.stretch_cells, stretch_max.subspan(block * plan.stretches_per_block, count));
    });
    for (std::int64_t row = 0; row < plan.rows; ++row) {
      const auto first = stretch_max.begin() + row * plan.stretches_per_row;
      message_[plan.first_row + row] = *std::max_element(first, first + plan.stretches_per_row);
    }
    if (tree_.nodes()[node].parent < 0) score += message_[plan.first_row];
  }
  return score;
}

// With f(x) = sum_q direction_q(x_q), the product over clique q is E[(f - E f) 1{x_q}]. E[f | node's cell] is the sum
// of what the node's own cliques say, what its children expect below, and what the parent expects above.
void BeliefPropagation::CovarianceTimes(std::span<const double> direction, std::span<double> product,
                                        Parallel& parallel) {
  CHECK(std::ssize(direction) == layout_.cells() && std::ssize(product) == layout_.cells());
  for (auto plan = plans_.rbegin(); plan != plans_.rend(); ++plan) ExpectUp(*plan, direction, parallel);
  for (std::size_t node = 0; node < plans_.size(); ++node) {
    const std::int64_t row = plans_[node].first_row;
    if (tree_.nodes()[node].parent < 0) expected_above_[row] = -expected_below_[row];
  }
  for (std::size_t node = 0; node < plans_.size(); ++node) {
    ExpectDown(plans_[node], product);
    for (const int child : tree_.nodes()[node].children) SubtractBelow(plans_[child]);
  }
}

void BeliefPropagation::ExpectUp(NodePlan& plan, std::span<const double> direction, Parallel& parallel) {
  const std::span stretch_sum = std::span(stretch_sum_).subspan(plan.first_stretch, plan.stretches());
  plan.attachments.Load(direction, expected_below_);
  ForEachBlock(plan, parallel, [&](std::int64_t block) {
    const std::span<const double> scores = GatherBlock(plan, block, scores_);
    kernels::DotRows(Block(plan, block, beliefs_), scores, plan.stretch_cells,
                     stretch_sum.subspan(block * plan.stretches_per_block, std::ssize(scores) / plan.stretch_cells));
  });
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    double sum = 0;
    for (const double part : stretch_sum.subspan(row * plan.stretches_per_row, plan.stretches_per_row)) sum += part;
    const double probability = separator_marginal_[plan.first_row + row];
    expected_below_[plan.first_row + row] = probability > 0 ? sum / probability : 0;
  }
}

void BeliefPropagation::ExpectDown(NodePlan& plan, std::span<double> product) {
  const std::int64_t row_cells = plan.stretches_per_row * plan.stretch_cells;
  plan.attachments.Clear();
  for (std::int64_t block = 0; block < plan.blocks(); ++block) {
    const std::int64_t first = block * plan.stretches_per_block * plan.stretch_cells;
    const std::span<double> scores = Block(plan, block, scores_);
    const std::span<const double> beliefs = Block(plan, block, beliefs_);
    for (std::int64_t i = 0; i < std::ssize(scores);) {
      const std::int64_t row = (first + i) / row_cells;
      const std::int64_t end = std::min(std::ssize(scores), (row + 1) * row_cells - first);
      const double above = expected_above_[plan.first_row + row];
      for (; i < end; ++i) scores[i] = beliefs[i] * (scores[i] + above);
    }
    plan.attachments.AddFrom(first, scores);
  }
  plan.attachments.Store(product, expected_above_);
}

void BeliefPropagation::SubtractBelow(const NodePlan& child) {
  for (std::int64_t row = child.first_row; row < child.first_row + child.rows; ++row) {
    const double probability = separator_marginal_[row];
    expected_above_[row] = probability > 0 ? expected_above_[row] / probability - expected_below_[row] : 0;
  }
}

std::span<const double> BeliefPropagation::NodeMarginal(int node) const {
  return std::span(beliefs_).subspan(plans_[node].first_cell, plans_[node].cells());
}

}  // namespace flaim
