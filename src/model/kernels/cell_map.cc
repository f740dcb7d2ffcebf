#include "model/kernels/cell_map.h"

#include <algorithm>
#include <array>

#include "base/check.h"

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
namespace {

// Calls run(offset in block, offset in target, length) for each stretch of the innermost dimension.
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
  std::int64_t done = 0;
  while (true) {
    const std::int64_t length = std::min(dimensions[inner].size - digits[inner], count - done);
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

template <typename Update>
void UpdateBlock(const CellMap& map, std::int64_t first, std::span<double> block, const double* target,
                 const Update& update) {
  const std::int64_t stride = map.dimensions().back().stride;
  ForEachRun(map, first, std::ssize(block), [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
    double* cells = block.data() + offset;
    const double* from = target + at;
    if (stride == 0) {
      const double value = *from;
      for (std::int64_t i = 0; i < length; ++i) update(cells[i], value);
    } else if (stride == 1) {
      for (std::int64_t i = 0; i < length; ++i) update(cells[i], from[i]);
    } else {
      for (std::int64_t i = 0; i < length; ++i) update(cells[i], from[i * stride]);
    }
  });
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

}  // namespace

void AddFromTarget(const CellMap& map, std::int64_t first, std::span<double> block, const double* target) {
  UpdateBlock(map, first, block, target, [](double& cell, double value) { cell += value; });
}

void MultiplyFromTarget(const CellMap& map, std::int64_t first, std::span<double> block, const double* target) {
  UpdateBlock(map, first, block, target, [](double& cell, double value) { cell *= value; });
}

void AddToTarget(const CellMap& map, std::int64_t first, std::span<const double> block, double* target) {
  const std::int64_t stride = map.dimensions().back().stride;
  ForEachRun(map, first, std::ssize(block), [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
    const double* cells = block.data() + offset;
    double* to = target + at;
    if (stride == 0) {
      *to += Sum(cells, length);
    } else if (stride == 1) {
      for (std::int64_t i = 0; i < length; ++i) to[i] += cells[i];
    } else {
      for (std::int64_t i = 0; i < length; ++i) to[i * stride] += cells[i];
    }
  });
}

void MaxToTarget(const CellMap& map, std::int64_t first, std::span<const double> block, double* target) {
  const std::int64_t stride = map.dimensions().back().stride;
  ForEachRun(map, first, std::ssize(block), [&](std::int64_t offset, std::int64_t at, std::int64_t length) {
    const double* cells = block.data() + offset;
    double* to = target + at;
    for (std::int64_t i = 0; i < length; ++i) to[i * stride] = std::max(to[i * stride], cells[i]);
  });
}

}  // namespace kernels
}  // namespace flaim
