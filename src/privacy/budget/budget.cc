#include "privacy/budget/budget.h"

#include <cmath>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

double ScaledToUnits(double value) {
  CHECK(value >= 0 && value < 0x1p12, "a rho of {} is out of range", value);
  return std::ldexp(value, Rho::kUnitBits);
}

}  // namespace

absl::StatusOr<PrivacyBudget> PrivacyBudget::Create(double epsilon, double delta) {
  if (!(epsilon > 0 && epsilon <= 100)) {
    return InvalidArgument("epsilon is {}; it must be above 0 and at most 100 (1 is a common choice)", epsilon);
  }
  if (!(delta > 0 && delta <= 0.1)) {
    return InvalidArgument("delta is {}; it must be above 0 and at most 0.1 (well below 1 / number of people)", delta);
  }
  return PrivacyBudget(epsilon, delta);
}

Rho Rho::RoundUp(double value) { return Rho(static_cast<std::int64_t>(std::ceil(ScaledToUnits(value)))); }
Rho Rho::RoundDown(double value) { return Rho(static_cast<std::int64_t>(std::floor(ScaledToUnits(value)))); }

Rho Rho::operator+(Rho other) const {
  std::int64_t sum;
  CHECK(!__builtin_add_overflow(units_, other.units_, &sum), "a sum of costs overflowed");
  return Rho(sum);
}

Rho Rho::operator-(Rho other) const {
  CHECK(units_ >= other.units_, "a cost was subtracted from a smaller one");
  return Rho(units_ - other.units_);
}

}  // namespace flaim
