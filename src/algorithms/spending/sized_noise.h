#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "privacy/accountants/gaussian_accountant.h"
#include "privacy/numbers/rational.h"

namespace flaim {

// How the budget of one sum is divided among marginals of different size.
//
// A marginal of n cells with noise sigma has an error of about n sigma. The sum of these errors at a given cost, the
// sum of 1 / sigma^2, is least where a marginal's part of the cost grows with n^(2/3). Costs are rounded to powers of
// two times the least one, so that a sum has few kinds of noise; that loses 1 or 2 percent.
//
// Discrete noise of variance v is a random rounding of continuous noise of variance v - 2 (docs/PRIVACY.md, "Noise in
// shares"). So with kRoundingVariance added to each variance, the sum loses no more than one continuous Gaussian
// mechanism of `mu`, however the sizes were come by: they may depend on earlier answers.
inline constexpr double kRoundingVariance = 2;

// The variance of each marginal's noise, rounded up. REQUIRES: not empty, positive numbers of cells.
absl::StatusOr<std::vector<Rational>> NoiseBySize(Mu mu, std::span<const std::int64_t> cells);

// What a sum with such noise loses at most: the mu of continuous noise that dominates it. REQUIRES: variances above
// kRoundingVariance.
double MuOfSum(std::span<const Rational> variances);

}  // namespace flaim
