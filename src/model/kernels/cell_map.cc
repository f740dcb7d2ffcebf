#include "model/kernels/cell_map.h"

#include <algorithm>
#include <array>

#include "base/check.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/cell_map.cc"
#include "hwy/foreach_target.h"
// Highway asks for this order.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace flaim::kernels {
namespace HWY_NAMESPACE {

// Plain loops: the compiler vectorises them anew for each instruction set.

// Calls run(offset in block, offset in target, length) for each stretch of the innermost dimension. Whole rows of the
// two innermost dimensions go in one loop: nodes whose own attribute is small have short stretches, and the bookkeeping
// of the outer dimensions would cost more than the work.
template <typename Run>
void ForEachRun(const CellMap& map, std::int64_t first, std::int64_t count, const Run& run) {
  const std::vector<CellMap::Dimension>& dimensions = map.dimensions();
  const std::size_t inner = dimensions.size() - 1;
  constexpr std::size_t kMaxDimensions = 64;
  CHECK(dimensions.size() <= kMaxDimensions && first + count <= map.source_cells());

  std::array<std::int64_t, kMaxDimensions> digits;
  std::int64_t target = 0;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    digits[i] = first % dimensions[i].size;
    first /= dimensions[i].size;
    target += digits[i] * dimensions[i].stride;
  }
  const std::int64_t inner_size = dimensions[inner].size;
  std::int64_t done = 0;
  while (true) {
    if (inner > 0 && digits[inner] == 0) {
      const std::int64_t outer_stride = dimensions[inner - 1].stride;
      const std::int64_t rows =
          std::min(dimensions[inner - 1].size - 1 - digits[inner - 1], (count - done - 1) / inner_size);
      for (std::int64_t row = 0; row < rows; ++row) {
        run(done, target, inner_size);
        done += inner_size;
        target += outer_stride;
      }
      digits[inner - 1] += rows;
    }
    const std::int64_t length = std::min(inner_size - digits[inner], count - done);
    run(done, target, length);
    done += length;
    if (done == count) return;
    target -= digits[inner] * dimensions[inner].stride;
    digits[inner] = 0;
    for (std::size_t i = inner; i-- > 0;) {
      target += dimensions[i].stride;
      if (++digits[i] < dimensions[i].size) break;
      target -= dimensions[i].size * dimensions[i].stride;
      digits[i] = 0;
    }
  }
}

void AddFrom(const CellMap& map, std::int64_t first, std::span<double> block, const double* target) {
  const std::int64_t stride = map.dimensions().back().stride;
  double* const cells = block.data();
  const auto count = std::ssize(block);
  if (stride == 0) {
    ForEachRun(map, first, count, [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
      const double value = target[at];
      for (std::int64_t i = 0; i < length; ++i) cells[offset + i] += value;
    });
  } else if (stride == 1) {
    ForEachRun(map, first, count, [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) cells[offset + i] += target[at + i];
    });
  } else {
    ForEachRun(map, first, count, [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) cells[offset + i] += target[at + i * stride];
    });
  }
}

// Sums in four independent chains, so that the additions do not wait for one another.
double Sum(const double* cells, std::int64_t length) {
  std::array<double, 4> partial{};
  std::int64_t i = 0;
  for (; i + 4 <= length; i += 4) {
    for (std::int64_t k = 0; k < 4; ++k) partial[k] += cells[i + k];
  }
  double sum = (partial[0] + partial[1]) + (partial[2] + partial[3]);
  for (; i < length; ++i) sum += cells[i];
  return sum;
}

void AddTo(const CellMap& map, std::int64_t first, std::span<const double> block, double* target) {
  const std::int64_t stride = map.dimensions().back().stride;
  const double* const cells = block.data();
  const auto count = std::ssize(block);
  if (stride == 0) {
    ForEachRun(map, first, count, [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
      target[at] += Sum(cells + offset, length);
    });
  } else if (stride == 1) {
    ForEachRun(map, first, count, [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) target[at + i] += cells[offset + i];
    });
  } else {
    ForEachRun(map, first, count, [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) target[at + i * stride] += cells[offset + i];
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace flaim::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace flaim {

CellMap::CellMap(const Domain& domain, std::span<const AttributeIndex> source_order,
                 std::span<const AttributeIndex> target_order) {
  std::vector<std::int64_t> stride_of_attribute(domain.size(), 0);
  for (std::size_t i = target_order.size(); i-- > 0;) {
    stride_of_attribute[target_order[i]] = target_cells_;
    target_cells_ *= domain[target_order[i]].size;
  }
  std::size_t found = 0;
  for (const AttributeIndex attribute : source_order) {
    const Dimension next{domain[attribute].size, stride_of_attribute[attribute]};
    found += std::count(target_order.begin(), target_order.end(), attribute);
    source_cells_ *= next.size;
    if (next.size == 1) continue;
    if (!dimensions_.empty() && dimensions_.back().stride == next.stride * next.size) {
      dimensions_.back() = {dimensions_.back().size * next.size, next.stride};
    } else {
      dimensions_.push_back(next);
    }
  }
  CHECK(found == target_order.size(), "the target has an attribute that the source lacks");
  if (dimensions_.empty()) dimensions_.push_back({1, 0});
}

namespace kernels {

HWY_EXPORT(AddFrom);
HWY_EXPORT(AddTo);

void AddFromTarget(const CellMap& map, std::int64_t first, std::span<double> block, const double* target) {
  HWY_DYNAMIC_DISPATCH(AddFrom)(map, first, block, target);
}

void AddToTarget(const CellMap& map, std::int64_t first, std::span<const double> block, double* target) {
  HWY_DYNAMIC_DISPATCH(AddTo)(map, first, block, target);
}

}  // namespace kernels
}  // namespace flaim

#endif
