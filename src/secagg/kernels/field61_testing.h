#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/int128.h"
#include "secagg/kernels/field61.h"

// For tests and benchmarks only: the naive twins, by 128-bit division and by powers.
namespace flaim::secagg {

inline std::uint64_t FieldMultiplyNaive(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<UInt128>(a) * b % kFieldPrime);
}

inline std::uint64_t FieldEvaluateNaive(std::span<const std::uint64_t> coefficients, std::uint64_t point) {
  std::uint64_t value = 0;
  std::uint64_t power = 1;
  for (const std::uint64_t coefficient : coefficients) {
    value = (value + FieldMultiplyNaive(coefficient, power)) % kFieldPrime;
    power = FieldMultiplyNaive(power, point);
  }
  return value;
}

inline void LagrangeAtZeroNaive(std::span<const std::uint64_t> points, std::span<std::uint64_t> coefficients) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    coefficients[i] = 1;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (j == i) continue;
      const std::uint64_t difference = (points[j] + kFieldPrime - points[i]) % kFieldPrime;
      std::uint64_t inverse = 1;
      for (std::uint64_t exponent = kFieldPrime - 2, power = difference; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) inverse = FieldMultiplyNaive(inverse, power);
        power = FieldMultiplyNaive(power, power);
      }
      coefficients[i] = FieldMultiplyNaive(coefficients[i], FieldMultiplyNaive(points[j], inverse));
    }
  }
}

}  // namespace flaim::secagg
