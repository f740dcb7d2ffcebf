#include "privacy/budget/charge.h"

#include "base/check.h"
#include "base/int128.h"
#include "base/status.h"

namespace flaim {
namespace {

// Costs: sensitivity^2 / (2 sigma^2), and epsilon^2 / 8.
constexpr UInt128 kGaussianDivisor = 2;
constexpr UInt128 kExponentialDivisor = 8;

constexpr UInt128 kCostLimit = 1 << 12;

struct Fraction {
  UInt128 dividend;
  UInt128 divisor;
};

UInt128 Wide(std::int64_t value) { return static_cast<UInt128>(value); }

// Terms of a Rational are at most 2^40, so no product here exceeds 2^103.
Fraction ExactCost(const GaussianMechanism& gaussian) {
  return {Wide(gaussian.sensitivity_squared) * Wide(gaussian.sigma_squared.denominator()),
          kGaussianDivisor * Wide(gaussian.sigma_squared.numerator())};
}

Fraction ExactCost(const ExponentialMechanism& exponential) {
  const UInt128 numerator = Wide(exponential.epsilon.numerator());
  const UInt128 denominator = Wide(exponential.epsilon.denominator());
  return {numerator * numerator, kExponentialDivisor * denominator * denominator};
}

Fraction ExactCost(const Mechanism& mechanism) {
  return std::visit([](const auto& kind) { return ExactCost(kind); }, mechanism);
}

// Long division, one binary digit at a time: the smallest whole number of units not below the fraction.
std::int64_t UnitsRoundedUp(const Fraction& cost) {
  UInt128 units = cost.dividend / cost.divisor;
  UInt128 remainder = cost.dividend % cost.divisor;
  for (int bit = 0; bit < Rho::kUnitBits; ++bit) {
    remainder *= 2;
    units *= 2;
    if (remainder >= cost.divisor) {
      remainder -= cost.divisor;
      units += 1;
    }
  }
  return static_cast<std::int64_t>(units + (remainder > 0 ? 1 : 0));
}

absl::Status ValidateTerms(const GaussianMechanism& gaussian) {
  if (gaussian.sigma_squared.numerator() == 0) {
    return InvalidArgument("a Gaussian release with sigma^2 = 0 has no noise; give it a positive variance");
  }
  if (gaussian.sensitivity_squared < 1) {
    return InvalidArgument("the squared sensitivity of a Gaussian release is {}; it must be at least 1",
                           gaussian.sensitivity_squared);
  }
  return absl::OkStatus();
}

absl::Status ValidateTerms(const ExponentialMechanism& exponential) {
  if (exponential.sensitivity < 1) {
    return InvalidArgument("the sensitivity of a selection is {}; it must be at least 1", exponential.sensitivity);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Validate(const Mechanism& mechanism) {
  RETURN_IF_ERROR(std::visit([](const auto& kind) { return ValidateTerms(kind); }, mechanism));
  const Fraction cost = ExactCost(mechanism);
  if (cost.dividend >= kCostLimit * cost.divisor) {
    return InvalidArgument("one release would cost rho = 4096 or more, which no budget can pay; add noise");
  }
  return absl::OkStatus();
}

Rho CostOf(const Mechanism& mechanism) {
  const absl::Status valid = Validate(mechanism);
  CHECK(valid.ok(), "{}", std::string(valid.message()));
  return Rho::FromUnits(UnitsRoundedUp(ExactCost(mechanism)));
}

}  // namespace flaim
