#pragma once

#include "base/int128.h"

namespace flaim {

// An exact non-negative fraction with 128-bit terms, not reduced: the gamma of exp(-gamma) inside the samplers, where
// products of Rational terms no longer fit 64 bits. REQUIRES, wherever it is used: denominator > 0.
struct WideRational {
  UInt128 numerator;
  UInt128 denominator;
};

}  // namespace flaim
