#include "privacy/accountants/gaussian_accountant.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/status.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

// The 15-bit exponent of long double holds every tail that a double delta can ask for, and its 64-bit mantissa the
// digits that the difference of two tails loses.
static_assert(std::numeric_limits<long double>::digits >= 64);
constexpr long double kLongRounding = std::numeric_limits<long double>::epsilon();
constexpr long double kHalfRoot = 0.707106781186547524400844362104849039L;  // 1 / sqrt(2)
constexpr double kMuLimit = 64;

double RoundedUp(double value) { return value * (1 + 4 * std::numeric_limits<double>::epsilon()); }

Mu Valid(double value) {
  const absl::StatusOr<Mu> mu = Mu::Create(value);
  CHECK(mu.ok(), "mu {}", value);
  return *mu;
}

}  // namespace

absl::StatusOr<Mu> Mu::Create(double value) {
  if (!(value >= 0 && value <= kMuLimit)) {
    return InvalidArgument("mu is {}; it must be between 0 and {} (below 1 for any real protection)", value, kMuLimit);
  }
  return Mu(value);
}

double SigmaFor(Mu mu) {
  CHECK(mu.value() > 0, "no finite noise gives mu = 0");
  return RoundedUp(1 / mu.value());
}

double DeltaOf(Mu mu, double epsilon) {
  CHECK(epsilon >= 0 && epsilon <= 10000, "epsilon {}", epsilon);
  if (mu.value() == 0) return 0;
  const long double half = 0.5L * mu.value();
  const long double distance = epsilon / static_cast<long double>(mu.value());
  const long double likely = 0.5L * std::erfc((distance - half) * kHalfRoot);
  const long double unlikely =
      0.5L * std::exp(static_cast<long double>(epsilon)) * std::erfc((distance + half) * kHalfRoot);
  const long double slack = 32 * kLongRounding * (1 + (distance + half) * (distance + half)) * likely;
  const double delta = static_cast<double>(std::max(likely - unlikely, 0.0L) + slack);
  return std::min(1.0, std::nextafter(delta, 1.0));
}

double EpsilonOf(Mu mu, double delta) {
  CHECK(delta >= 1e-300 && delta < 1, "delta {}", delta);
  if (DeltaOf(mu, 0) <= delta) return 0;
  double low = 0;
  double high = 1;
  while (DeltaOf(mu, high) > delta) high *= 2;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double middle = 0.5 * (low + high);
    (DeltaOf(mu, middle) <= delta ? high : low) = middle;
  }
  return high;
}

Mu MuFor(const PrivacyBudget& budget) {
  double low = 0;
  double high = kMuLimit;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double middle = 0.5 * (low + high);
    (DeltaOf(Valid(middle), budget.epsilon()) <= budget.delta() ? low : high) = middle;
  }
  return Valid(low);
}

double SigmaShareOfZcdp(const PrivacyBudget& budget) {
  return std::sqrt(2 * RhoFor(budget).ToDouble()) / MuFor(budget).value();
}

}  // namespace flaim
