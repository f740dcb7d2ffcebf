#include "algorithms/spending/parts.h"

#include <cmath>

#include "base/status.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {
namespace {

constexpr double kAfterRounding = 1 - 1e-9;

}  // namespace

absl::StatusOr<Rational> SigmaSquaredFor(double rho, double sensitivity_squared) {
  const absl::StatusOr<Rational> sigma_squared =
      rho > 0 ? Rational::RoundUp(sensitivity_squared / (2 * rho * kAfterRounding)) : InvalidArgument("no budget");
  if (sigma_squared.ok()) return sigma_squared;
  return BudgetRefused("rho {:.3g} is too little for a measurement. Raise epsilon, or plan fewer rounds", rho);
}

absl::StatusOr<Rational> EpsilonFor(double rho) {
  const absl::StatusOr<Rational> epsilon = Rational::RoundDown(std::sqrt(8 * std::max(rho, 0.0) * kAfterRounding));
  if (epsilon.ok() && epsilon->numerator() > 0) return epsilon;
  return BudgetRefused("rho {:.3g} is too little for a choice. Raise epsilon, or plan fewer rounds", rho);
}

Step StepOfSum(const GaussianMechanism& sum, SumNoise noise) {
  if (noise == SumNoise::kSplit) return SplitGaussian{sum};
  return sum;
}

}  // namespace flaim
