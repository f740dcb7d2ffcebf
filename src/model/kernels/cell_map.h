#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/table/domain.h"

namespace flaim {

// Where each cell of a table lands in a smaller table over some of its attributes. Stored not as one index per cell
// but as a short loop nest: adjacent dimensions that advance the target evenly are merged, so the innermost loop is as
// long as the memory orders allow and runs at vector speed.
class CellMap {
 public:
  struct Dimension {
    std::int64_t size;
    std::int64_t stride;  // how far the target moves per step; 0 where the target lacks the attribute
  };

  // REQUIRES: target_order is a subset of source_order. Both are memory orders, outermost first.
  CellMap(const Domain& domain, std::span<const AttributeIndex> source_order,
          std::span<const AttributeIndex> target_order);

  // Outermost first; at least one.
  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  std::int64_t source_cells() const { return source_cells_; }
  std::int64_t target_cells() const { return target_cells_; }

 private:
  std::vector<Dimension> dimensions_;
  std::int64_t source_cells_ = 1;
  std::int64_t target_cells_ = 1;
};

namespace kernels {

// Both work on cells [first, first + block.size()) of the source.

// block[i] += target[map(i)]
void AddFromTarget(const CellMap& map, std::int64_t first, std::span<double> block, const double* target);
// target[map(i)] += block[i]
void AddToTarget(const CellMap& map, std::int64_t first, std::span<const double> block, double* target);

}  // namespace kernels
}  // namespace flaim
