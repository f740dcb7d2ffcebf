#pragma once

#include <cstdint>

#include "privacy/numbers/wide_rational.h"

namespace flaim {

// exp(-gamma) in fixed point with a proved error, from integer arithmetic alone: no libm, no rounding mode.
//
// Write gamma = w + f, w whole and f in [0, 1); u is one unit, 2^-62. Then exp(-gamma) = exp(-w) * exp(-f).
//   w >= 45: exp(-gamma) < u / 6, and the result is 0.
//   f is cut to a multiple x of u: moves exp(-f) by less than 1 u.
//   exp(-x) = c_0 - x (c_1 - x (c_2 - ... - x c_20)), c_i = 1/i!: leaves out less than 1/21! < u. Each of the 20 steps
//     cuts one coefficient and one product, and shrinks the error that it inherits (x <= 1): at most 20 * 2 u in all.
//   exp(-w) is the product of w factors exp(-1), each product cut. With e_1 <= 41 u (the line above at x = 1),
//     e_{w+1} <= e_w exp(-1) + e_1 (exp(-w) + e_w) + u stays at or below 41 u.
//   The last product: at most 41 u * 1 + 42 u * exp(-1) + u + (a product of two errors) < 58 u; for w = 0 at most 42 u.
// All of it below kExpErrorUnits. exp_bounds_test.cc compares with MPFR; the largest error met in 150,000 random
// fractions was 3.8 u.
inline constexpr int kExpFractionBits = 62;
inline constexpr std::uint64_t kExpOne = std::uint64_t{1} << kExpFractionBits;
inline constexpr std::uint64_t kExpErrorUnits = 64;

struct ExpBounds {
  std::uint64_t lower;  // lower <= 2^62 exp(-gamma) <= upper
  std::uint64_t upper;  // upper - lower <= 2 * kExpErrorUnits
};

// REQUIRES: 0 < gamma.denominator < 2^127.
ExpBounds BoundExp(const WideRational& gamma);

}  // namespace flaim
