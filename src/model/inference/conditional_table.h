#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/table/domain.h"
#include "marginal/clique.h"

namespace flaim {

// Numbers over some attributes in a stated memory order, outermost first: the working value of queries that cross
// nodes.
struct OrderedTable {
  std::vector<AttributeIndex> order;
  std::vector<double> values;
};

// Sums out what is not in `order` and rearranges the rest. REQUIRES: order is a subset of table.order.
OrderedTable SumTo(const Domain& domain, const OrderedTable& table, std::span<const AttributeIndex> order);

// The product of `left` and `right`, summed over the attributes of `left` that are not in `kept`. The first
// `shared_length` attributes of `right` are in `left`, the others are new; the result has the kept attributes of `left`
// in their order and then the new ones. REQUIRES: kept and new attributes are disjoint.
OrderedTable MultiplyAndSum(const Domain& domain, const OrderedTable& left, const OrderedTable& right,
                            int shared_length, const Clique& kept);

}  // namespace flaim
