#pragma once

#include <cstdint>

#include "base/random_source.h"
#include "privacy/numbers/rational.h"

namespace flaim {

// The discrete Gaussian by the book (Canonne, Kamath, Steinke 2020, Algorithm 3): a discrete Laplace proposal, accepted
// with an exact exponential coin. The readable twin that DiscreteGaussian is tested against, and its method above the
// largest sigma of its table. About thirty times slower than the table; exact for every sigma^2 a Rational can hold.
//
// REQUIRES: sigma_squared > 0.
std::int64_t SampleDiscreteGaussianReference(const Rational& sigma_squared, RandomSource& random);

}  // namespace flaim
