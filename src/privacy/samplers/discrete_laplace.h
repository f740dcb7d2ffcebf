#pragma once

#include <cstdint>

#include "base/random_source.h"
#include "privacy/numbers/wide_rational.h"

namespace flaim {

// Exact draws after Canonne, Kamath, Steinke 2020, Algorithm 2. Timing depends on the outcome.

// j >= 0 with probability proportional to exp(-step * j). CHECKs that j fits. REQUIRES: step > 0.
std::int64_t SampleGeometric(const WideRational& step, RandomSource& random);

// Integer k with probability proportional to exp(-step * |k|). REQUIRES: step > 0.
std::int64_t SampleDiscreteLaplace(const WideRational& step, RandomSource& random);

}  // namespace flaim
