#pragma once

#include "base/int128.h"
#include "base/random_source.h"
#include "privacy/numbers/wide_rational.h"

namespace flaim {

// Exact coin flips (Canonne, Kamath, Steinke 2020, "The Discrete Gaussian for Differential Privacy", Algorithm 1):
// integer arithmetic and uniform integers only, so no rounding enters a probability. 128-bit products are CHECKed
// against overflow. Timing depends on the outcome.

// Uniform in {0, ..., bound - 1}. REQUIRES: bound > 0.
UInt128 UniformBelow(UInt128 bound, RandomSource& random);

// True with probability `probability`. REQUIRES: probability <= 1.
bool SampleBernoulli(const WideRational& probability, RandomSource& random);

// True with probability exp(-gamma). Takes fewer than 5 flips on average, whatever the size of gamma.
bool SampleBernoulliExp(const WideRational& gamma, RandomSource& random);

}  // namespace flaim
