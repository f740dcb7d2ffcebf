#pragma once

#include <cstdint>
#include <span>

#include "base/int128.h"

namespace flaim::secagg {

// The field of integers modulo the prime p = 2^61 - 1, the elements being 0 .. p - 1. Reduction is a shift and an
// addition, because 2^61 = 1. No branch depends on an element.

inline constexpr std::uint64_t kFieldPrime = (std::uint64_t{1} << 61) - 1;

// The element that is congruent to a number below 2p.
inline std::uint64_t FieldReduceOnce(std::uint64_t number) {
  const std::uint64_t less = number - kFieldPrime;
  return less + (kFieldPrime & (0 - (less >> 63)));
}

inline std::uint64_t FieldAdd(std::uint64_t a, std::uint64_t b) { return FieldReduceOnce(a + b); }
inline std::uint64_t FieldSubtract(std::uint64_t a, std::uint64_t b) { return FieldReduceOnce(a + kFieldPrime - b); }

inline std::uint64_t FieldMultiply(std::uint64_t a, std::uint64_t b) {
  const UInt128 product = static_cast<UInt128>(a) * b;
  return FieldReduceOnce((static_cast<std::uint64_t>(product) & kFieldPrime) +
                         static_cast<std::uint64_t>(product >> 61));
}

// REQUIRES: a != 0.
std::uint64_t FieldInverse(std::uint64_t a);

// The value at `point` of the polynomial with these coefficients, the constant one first (Horner).
std::uint64_t FieldEvaluate(std::span<const std::uint64_t> coefficients, std::uint64_t point);

// For each point, its Lagrange coefficient at zero: f(0) = sum of coefficient_i f(point_i) for every polynomial f of
// degree below points.size(). One inversion for all. REQUIRES: points distinct and not zero.
void LagrangeAtZero(std::span<const std::uint64_t> points, std::span<std::uint64_t> coefficients);

}  // namespace flaim::secagg
