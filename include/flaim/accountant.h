#pragma once

#include "flaim/result.h"

namespace flaim::api {

// Zero-concentrated differential privacy: costs (rho) of releases add up, also when each is chosen after seeing the
// earlier ones. Every conversion rounds to the private side. Refused: numbers outside the stated ranges.

// The smallest epsilon such that a total cost of rho is (epsilon, delta)-differential privacy. 0 <= rho <= 1000,
// 0 < delta < 1.
Result<double> EpsilonOf(double rho, double delta);

// What a promise affords: the largest rho. 0 < epsilon, 0 < delta < 1.
Result<double> RhoFor(double epsilon, double delta);

// The cost of discrete Gaussian noise with this standard deviation on counts in which one record moves `marginals`
// cells by one each. Positive numbers.
Result<double> RhoOfGaussian(double sigma, int marginals = 1);

}  // namespace flaim::api
