#include "privacy/accountants/zcdp_accountant.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "privacy/accountants/rounding.h"

namespace flaim {
namespace {

// The logarithm of the bound at alpha = 1 + excess, not below the exact one.
double LogDeltaBound(double rho, double epsilon, double excess) {
  const double alpha = 1 + excess;
  const double moment = excess * (alpha * rho - epsilon);
  const double divisor = std::log(excess);
  const double sharpening = -alpha * std::log1p(1 / excess);  // alpha log(1 - 1/alpha)
  const double magnitude = excess * (alpha * rho + epsilon) + std::abs(divisor) + std::abs(sharpening) + 1;
  return moment - divisor + sharpening + 16 * kRounding * magnitude;
}

// The logarithm of the bound is convex in alpha: the second derivative is 2 rho + 1/(alpha - 1) - 1/alpha. Its slope
//   (2 alpha - 1) rho - epsilon + log(1 - 1/alpha)
// grows from -infinity to +infinity; bisection over log(alpha - 1) finds where it vanishes.
double BestExcess(double rho, double epsilon) {
  double low = -40;
  double high = 60;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double middle = 0.5 * (low + high);
    const double excess = std::exp(middle);
    const double slope = (2 * excess + 1) * rho - epsilon - std::log1p(1 / excess);
    (slope < 0 ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

}  // namespace

double DeltaOf(Rho rho, double epsilon) {
  CHECK(epsilon >= 0 && std::isfinite(epsilon), "epsilon {}", epsilon);
  if (rho == Rho()) return 0;
  const double cost = rho.ToDouble() * (1 + kRounding);
  const double log_delta = LogDeltaBound(cost, epsilon, BestExcess(cost, epsilon));
  const double delta = std::exp(std::min(log_delta, 0.0)) * (1 + 4 * kRounding);
  return std::min(1.0, std::nextafter(delta, 1.0));
}

double EpsilonOf(Rho rho, double delta) {
  CHECK(delta > 0 && delta < 1, "delta {}", delta);
  if (DeltaOf(rho, 0) <= delta) return 0;
  double low = 0;
  double high = 1;
  while (DeltaOf(rho, high) > delta) high *= 2;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double middle = 0.5 * (low + high);
    (DeltaOf(rho, middle) <= delta ? high : low) = middle;
  }
  return high;
}

Rho RhoFor(const PrivacyBudget& budget) {
  std::int64_t affordable = 0;
  std::int64_t excessive = std::int64_t{1} << (Rho::kUnitBits + 12);
  while (excessive - affordable > 1) {
    const std::int64_t middle = affordable + (excessive - affordable) / 2;
    const bool fits = DeltaOf(Rho::FromUnits(middle), budget.epsilon()) <= budget.delta();
    (fits ? affordable : excessive) = middle;
  }
  return Rho::FromUnits(affordable);
}

}  // namespace flaim
