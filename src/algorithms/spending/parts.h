#pragma once

#include "absl/status/statusor.h"
#include "algorithms/methods/method.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/numbers/rational.h"

namespace flaim {

// What a share of a budget buys, rounded to the private side with a hair to spare for costs that are rounded up.

// The noise with which a vector of this squared sensitivity costs at most rho.
absl::StatusOr<Rational> SigmaSquaredFor(double rho, double sensitivity_squared);

// The epsilon of an exponential mechanism that costs at most rho. Refuses one that is nothing.
absl::StatusOr<Rational> EpsilonFor(double rho);

// A sum of counts, as the exact accountant sees it.
Step StepOfSum(const GaussianMechanism& sum, SumNoise noise);

}  // namespace flaim
