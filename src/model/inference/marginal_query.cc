#include "model/inference/marginal_query.h"

#include <algorithm>

namespace flaim {
namespace {

Clique Separator(const JunctionTree::Node& node) {
  return Clique({node.attributes.begin(), node.attributes.begin() + node.separator_length});
}

Clique Without(const Clique& clique, const Clique& removed) {
  std::vector<AttributeIndex> rest;
  std::set_difference(clique.begin(), clique.end(), removed.begin(), removed.end(), std::back_inserter(rest));
  return Clique(std::move(rest));
}

}  // namespace

MarginalQuery::MarginalQuery(const BeliefPropagation& oracle, const Levels* levels)
    : oracle_(oracle), tree_(oracle.tree()), levels_(levels), below_(tree_.nodes().size()) {
  for (int i = static_cast<int>(tree_.nodes().size()) - 1; i >= 0; --i) {
    const JunctionTree::Node& node = tree_.nodes()[i];
    below_[i] = Without(below_[i].Union(node.clique), Separator(node));
    if (node.parent >= 0) below_[node.parent] = below_[node.parent].Union(below_[i]);
  }
}

std::vector<double> MarginalQuery::Answer(const Clique& clique) {
  if (kept_cells_ > kMaxKeptCells) {
    conditionals_.clear();
    kept_cells_ = 0;
  }
  OrderedTable answer{{}, {1.0}};
  for (int node = 0; node < static_cast<int>(tree_.nodes().size()); ++node) {
    if (tree_.nodes()[node].parent >= 0) continue;
    const Clique queried = clique.Intersect(below_[node]);
    if (queried.size() == 0) continue;
    answer = MultiplyAndSum(tree_.domain(), answer, AnswerWithin(node, queried), 0, clique);
  }
  std::vector<double> cells = SumTo(tree_.domain(), answer, clique.attributes()).values;
  return levels_ == nullptr ? cells : levels_->Refine(clique, cells);
}

OrderedTable MarginalQuery::AnswerWithin(int root, const Clique& queried) {
  int top = root;
  for (bool moved = true; moved;) {
    moved = false;
    for (const int child : tree_.nodes()[top].children) {
      if (!queried.IsSubsetOf(tree_.nodes()[top].clique) &&
          queried.IsSubsetOf(below_[child].Union(tree_.nodes()[child].clique))) {
        top = child;
        moved = true;
        break;
      }
    }
  }
  const std::span<const double> joint = oracle_.NodeMarginal(top);
  return Descend(top, {tree_.nodes()[top].attributes, {joint.begin(), joint.end()}}, queried, queried);
}

const OrderedTable& MarginalQuery::Conditional(int index, const Clique& queried) {
  const auto found = conditionals_.find({index, queried});
  if (found != conditionals_.end()) return found->second;

  const JunctionTree::Node& node = tree_.nodes()[index];
  const std::span<const double> joint = oracle_.NodeMarginal(index);
  OrderedTable conditional{node.attributes, {joint.begin(), joint.end()}};
  for (std::int64_t row = 0; row < node.rows; ++row) {
    const std::span cells = std::span(conditional.values).subspan(row * node.columns, node.columns);
    double total = 0;
    for (const double cell : cells) total += cell;
    for (double& cell : cells) cell = total > 0 ? cell / total : 0;
  }
  const Clique separator = Separator(node);
  OrderedTable table = Descend(index, std::move(conditional), queried, separator.Union(queried));
  std::vector<AttributeIndex> order(node.attributes.begin(), node.attributes.begin() + node.separator_length);
  order.insert(order.end(), queried.begin(), queried.end());
  OrderedTable summed = SumTo(tree_.domain(), table, order);
  kept_cells_ += summed.values.size();
  return conditionals_.emplace(std::pair(index, queried), std::move(summed)).first->second;
}

OrderedTable MarginalQuery::Descend(int index, OrderedTable table, const Clique& queried, const Clique& kept) {
  struct Branch {
    const OrderedTable* conditional;
    int separator_length;
    Clique separator;
  };
  std::vector<Branch> branches;
  Clique needed = kept;
  for (const int child : tree_.nodes()[index].children) {
    const Clique asked = queried.Intersect(below_[child]);
    if (asked.size() == 0) continue;
    const JunctionTree::Node& node = tree_.nodes()[child];
    branches.push_back({&Conditional(child, asked), node.separator_length, Separator(node)});
    needed = needed.Union(branches.back().separator);
  }
  std::vector<AttributeIndex> order;
  std::copy_if(table.order.begin(), table.order.end(), std::back_inserter(order),
               [&](AttributeIndex attribute) { return needed.Contains(attribute); });
  if (order.size() < table.order.size()) table = SumTo(tree_.domain(), table, order);

  for (std::size_t i = 0; i < branches.size(); ++i) {
    Clique still_needed = kept;
    for (std::size_t later = i + 1; later < branches.size(); ++later) {
      still_needed = still_needed.Union(branches[later].separator);
    }
    table = MultiplyAndSum(tree_.domain(), table, *branches[i].conditional, branches[i].separator_length, still_needed);
  }
  return table;
}

}  // namespace flaim
