#include "model/inference/conditional_table.h"

#include <algorithm>

#include "base/check.h"
#include "model/kernels/cell_map.h"

namespace flaim {
namespace {

std::int64_t Cells(const Domain& domain, std::span<const AttributeIndex> order) {
  std::int64_t cells = 1;
  for (const AttributeIndex attribute : order) cells *= domain[attribute].size;
  return cells;
}

// Stride of each attribute of the domain in a table of this order; 0 for those that it lacks.
std::vector<std::int64_t> Strides(const Domain& domain, std::span<const AttributeIndex> order) {
  std::vector<std::int64_t> strides(domain.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= domain[order[i]].size;
  }
  return strides;
}

}  // namespace

OrderedTable SumTo(const Domain& domain, const OrderedTable& table, std::span<const AttributeIndex> order) {
  const CellMap map(domain, table.order, order);
  OrderedTable result{{order.begin(), order.end()}, std::vector<double>(map.target_cells(), 0)};
  kernels::AddToTarget(map, 0, table.values, result.values.data());
  return result;
}

OrderedTable MultiplyAndSum(const Domain& domain, const OrderedTable& left, const OrderedTable& right,
                            int shared_length, const Clique& kept) {
  OrderedTable result;
  std::copy_if(left.order.begin(), left.order.end(), std::back_inserter(result.order),
               [&](AttributeIndex attribute) { return kept.Contains(attribute); });
  const std::vector<std::int64_t> kept_stride = Strides(domain, result.order);
  const std::span shared = std::span(right.order).first(shared_length);
  const std::vector<std::int64_t> shared_stride = Strides(domain, shared);
  const std::span added = std::span(right.order).subspan(shared_length);
  const std::int64_t width = Cells(domain, added);
  result.values.assign(Cells(domain, result.order) * width, 0);
  result.order.insert(result.order.end(), added.begin(), added.end());

  std::vector<std::int64_t> digits(left.order.size(), 0);
  std::int64_t to = 0;
  std::int64_t from = 0;
  for (const double factor : left.values) {
    if (factor != 0) {
      double* target = result.values.data() + to * width;
      const double* source = right.values.data() + from * width;
      for (std::int64_t i = 0; i < width; ++i) target[i] += factor * source[i];
    }
    for (std::size_t i = digits.size(); i-- > 0;) {
      const AttributeIndex attribute = left.order[i];
      to += kept_stride[attribute];
      from += shared_stride[attribute];
      if (++digits[i] < domain[attribute].size) break;
      to -= kept_stride[attribute] * domain[attribute].size;
      from -= shared_stride[attribute] * domain[attribute].size;
      digits[i] = 0;
    }
  }
  return result;
}

}  // namespace flaim
