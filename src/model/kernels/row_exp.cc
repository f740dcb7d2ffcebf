#include "model/kernels/row_exp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/row_exp.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// Highway asks for this order.
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace flaim::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Vector = hn::ScalableTag<double>;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// Runs `each` on full vectors and once on a tail that is padded by a vector of scratch.
template <typename Each>
void ForEachVector(double* values, std::int64_t count, const Each& each) {
  const Vector d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(each(hn::LoadU(d, values + i)), d, values + i);
  if (i == count) return;
  HWY_ALIGN double tail[hn::MaxLanes(d)] = {};
  std::copy(values + i, values + count, tail);
  hn::Store(each(hn::Load(d, tail)), d, tail);
  std::copy(tail, tail + (count - i), values + i);
}

void ExpAll(double* values, std::int64_t count) {
  const Vector d;
  ForEachVector(values, count, [&](auto x) { return hn::Exp(d, x); });
}

void LogAll(double* values, std::int64_t count) {
  const Vector d;
  const auto zero = hn::Zero(d);
  const auto minus_infinity = hn::Set(d, kMinusInfinity);
  ForEachVector(values, count, [&](auto x) { return hn::IfThenElse(hn::Gt(x, zero), hn::Log(d, x), minus_infinity); });
}

double MaxOf(const double* values, std::int64_t count) {
  const Vector d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  double result = kMinusInfinity;
  std::int64_t i = 0;
  if (count >= lanes) {
    auto best = hn::LoadU(d, values);
    for (i = lanes; i + lanes <= count; i += lanes) best = hn::Max(best, hn::LoadU(d, values + i));
    result = hn::GetLane(hn::MaxOfLanes(d, best));
  }
  for (; i < count; ++i) result = std::max(result, values[i]);
  return result;
}

double SumOf(const double* values, std::int64_t count) {
  const Vector d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  double result = 0;
  std::int64_t i = 0;
  if (count >= lanes) {
    auto even = hn::Zero(d);
    auto odd = hn::Zero(d);
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
      even = hn::Add(even, hn::LoadU(d, values + i));
      odd = hn::Add(odd, hn::LoadU(d, values + i + lanes));
    }
    if (i + lanes <= count) {
      even = hn::Add(even, hn::LoadU(d, values + i));
      i += lanes;
    }
    result = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  }
  for (; i < count; ++i) result += values[i];
  return result;
}

double DotOf(const double* a, const double* b, std::int64_t count) {
  const Vector d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  double result = 0;
  std::int64_t i = 0;
  if (count >= lanes) {
    auto even = hn::Zero(d);
    auto odd = hn::Zero(d);
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
      even = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), even);
      odd = hn::MulAdd(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes), odd);
    }
    if (i + lanes <= count) {
      even = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), even);
      i += lanes;
    }
    result = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  }
  for (; i < count; ++i) result += a[i] * b[i];
  return result;
}

void DotAllRows(const double* a, const double* b, std::int64_t columns, double* row_dot, std::int64_t rows) {
  for (std::int64_t row = 0; row < rows; ++row) row_dot[row] = DotOf(a + row * columns, b + row * columns, columns);
}

void MaxAllRows(const double* block, std::int64_t columns, double* row_max, std::int64_t rows) {
  for (std::int64_t row = 0; row < rows; ++row) row_max[row] = MaxOf(block + row * columns, columns);
}

void ScaleAllRows(double* block, std::int64_t columns, const double* row_scale, std::int64_t rows) {
  for (std::int64_t row = 0; row < rows; ++row) {
    double* cells = block + row * columns;
    const double scale = row_scale[row];
    for (std::int64_t i = 0; i < columns; ++i) cells[i] *= scale;
  }
}

void ShiftedExpAllRows(double* block, std::int64_t columns, double* row_max, double* row_sum, std::int64_t rows) {
  for (std::int64_t row = 0; row < rows; ++row) {
    double* cells = block + row * columns;
    row_max[row] = MaxOf(cells, columns);
    const double shift = row_max[row] == kMinusInfinity ? 0 : row_max[row];
    for (std::int64_t i = 0; i < columns; ++i) cells[i] -= shift;
  }
  ExpAll(block, rows * columns);  // in one sweep, so that short rows fill the vectors too
  for (std::int64_t row = 0; row < rows; ++row) row_sum[row] = SumOf(block + row * columns, columns);
}

}  // namespace HWY_NAMESPACE
}  // namespace flaim::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "base/check.h"

namespace flaim::kernels {

HWY_EXPORT(ExpAll);
HWY_EXPORT(LogAll);
HWY_EXPORT(DotAllRows);
HWY_EXPORT(MaxAllRows);
HWY_EXPORT(ScaleAllRows);
HWY_EXPORT(ShiftedExpAllRows);

void Exp(std::span<double> values) { HWY_DYNAMIC_DISPATCH(ExpAll)(values.data(), std::ssize(values)); }

void Log(std::span<double> values) { HWY_DYNAMIC_DISPATCH(LogAll)(values.data(), std::ssize(values)); }

void ShiftedExpRows(std::span<double> block, std::int64_t columns, std::span<double> row_max,
                    std::span<double> row_sum) {
  CHECK(std::ssize(block) == columns * std::ssize(row_max) && row_sum.size() == row_max.size());
  HWY_DYNAMIC_DISPATCH(ShiftedExpAllRows)(block.data(), columns, row_max.data(), row_sum.data(), std::ssize(row_max));
}

void MaxRows(std::span<const double> block, std::int64_t columns, std::span<double> row_max) {
  CHECK(std::ssize(block) == columns * std::ssize(row_max));
  HWY_DYNAMIC_DISPATCH(MaxAllRows)(block.data(), columns, row_max.data(), std::ssize(row_max));
}

void DotRows(std::span<const double> a, std::span<const double> b, std::int64_t columns, std::span<double> row_dot) {
  CHECK(a.size() == b.size() && std::ssize(a) == columns * std::ssize(row_dot));
  HWY_DYNAMIC_DISPATCH(DotAllRows)(a.data(), b.data(), columns, row_dot.data(), std::ssize(row_dot));
}

void ScaleRows(std::span<double> block, std::int64_t columns, std::span<const double> row_scale) {
  CHECK(std::ssize(block) == columns * std::ssize(row_scale));
  HWY_DYNAMIC_DISPATCH(ScaleAllRows)(block.data(), columns, row_scale.data(), std::ssize(row_scale));
}

}  // namespace flaim::kernels

#endif
