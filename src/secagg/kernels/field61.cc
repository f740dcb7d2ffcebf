#include "secagg/kernels/field61.h"

#include <vector>

#include "base/check.h"

namespace flaim::secagg {
namespace {

std::uint64_t SquareRepeatedly(std::uint64_t a, int times) {
  for (int i = 0; i < times; ++i) a = FieldMultiply(a, a);
  return a;
}

}  // namespace

// a^(p - 2), where p - 2 = 2^61 - 3 is 59 ones and then 01 in binary. `ones_n` is a to the power of n ones.
std::uint64_t FieldInverse(std::uint64_t a) {
  CHECK(a != 0, "zero has no inverse");
  const std::uint64_t ones_2 = FieldMultiply(SquareRepeatedly(a, 1), a);
  const std::uint64_t ones_3 = FieldMultiply(SquareRepeatedly(ones_2, 1), a);
  const std::uint64_t ones_6 = FieldMultiply(SquareRepeatedly(ones_3, 3), ones_3);
  const std::uint64_t ones_7 = FieldMultiply(SquareRepeatedly(ones_6, 1), a);
  const std::uint64_t ones_14 = FieldMultiply(SquareRepeatedly(ones_7, 7), ones_7);
  const std::uint64_t ones_28 = FieldMultiply(SquareRepeatedly(ones_14, 14), ones_14);
  const std::uint64_t ones_29 = FieldMultiply(SquareRepeatedly(ones_28, 1), a);
  const std::uint64_t ones_58 = FieldMultiply(SquareRepeatedly(ones_29, 29), ones_29);
  const std::uint64_t ones_59 = FieldMultiply(SquareRepeatedly(ones_58, 1), a);
  return FieldMultiply(SquareRepeatedly(ones_59, 2), a);
}

std::uint64_t FieldEvaluate(std::span<const std::uint64_t> coefficients, std::uint64_t point) {
  std::uint64_t value = 0;
  for (std::size_t i = coefficients.size(); i > 0; --i) {
    value = FieldAdd(FieldMultiply(value, point), coefficients[i - 1]);
  }
  return value;
}

// With P the product of all points, coefficient_i = P / (point_i * product over j != i of (point_j - point_i)). The
// denominators are inverted together: the inverse of their product, peeled from the end by running products.
void LagrangeAtZero(std::span<const std::uint64_t> points, std::span<std::uint64_t> coefficients) {
  CHECK(points.size() == coefficients.size(), "{} points, {} coefficients", points.size(), coefficients.size());
  std::vector<std::uint64_t> denominators(points.size());
  std::uint64_t all_points = 1;
  std::uint64_t all_denominators = 1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::uint64_t denominator = points[i];
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (j != i) denominator = FieldMultiply(denominator, FieldSubtract(points[j], points[i]));
    }
    denominators[i] = denominator;
    coefficients[i] = all_denominators;
    all_denominators = FieldMultiply(all_denominators, denominator);
    all_points = FieldMultiply(all_points, points[i]);
  }
  CHECK(all_denominators != 0, "points must be distinct and not zero");
  std::uint64_t scale = FieldMultiply(all_points, FieldInverse(all_denominators));
  for (std::size_t i = points.size(); i > 0; --i) {
    coefficients[i - 1] = FieldMultiply(coefficients[i - 1], scale);
    scale = FieldMultiply(scale, denominators[i - 1]);
  }
}

}  // namespace flaim::secagg
