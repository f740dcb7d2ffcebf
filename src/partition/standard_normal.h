#pragma once

#include "base/random_source.h"

namespace flaim {

// Uniform in (0, 1], so that it has a logarithm.
double DrawPositiveUnit(RandomSource& random);

// Normal with mean 0 and variance 1, by Box and Muller: two numbers from the source for each. For simulated clients and
// data, never for noise.
double DrawStandardNormal(RandomSource& random);

}  // namespace flaim
