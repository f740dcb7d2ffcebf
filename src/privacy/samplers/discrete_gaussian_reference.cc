#include "privacy/samplers/discrete_gaussian_reference.h"

#include <cmath>

#include "base/check.h"
#include "base/int128.h"
#include "privacy/samplers/bernoulli_exp.h"
#include "privacy/samplers/discrete_laplace.h"

namespace flaim {
namespace {

UInt128 Square(UInt128 value) {
  UInt128 square;
  CHECK(!__builtin_mul_overflow(value, value, &square), "a proposal of more than a million sigma");
  return square;
}

// t = floor(sigma) + 1. The method is exact for any t >= 1; this one rejects least.
UInt128 ProposalScale(const Rational& sigma_squared) {
  return static_cast<UInt128>(std::sqrt(sigma_squared.ToDouble())) + 1;
}

}  // namespace

std::int64_t SampleDiscreteGaussianReference(const Rational& sigma_squared, RandomSource& random) {
  const auto numerator = static_cast<UInt128>(sigma_squared.numerator());
  const auto denominator = static_cast<UInt128>(sigma_squared.denominator());
  CHECK(numerator > 0, "sigma^2 must be positive");
  const UInt128 scale = ProposalScale(sigma_squared);

  while (true) {
    const std::int64_t proposal = SampleDiscreteLaplace({1, scale}, random);
    const auto magnitude = static_cast<UInt128>(proposal < 0 ? -proposal : proposal);

    // gamma = (|Y| - sigma^2 / t)^2 / (2 sigma^2), both terms multiplied by (t * denominator)^2.
    const UInt128 scaled_magnitude = magnitude * scale * denominator;
    const UInt128 distance = scaled_magnitude > numerator ? scaled_magnitude - numerator : numerator - scaled_magnitude;
    if (SampleBernoulliExp({Square(distance), 2 * numerator * denominator * Square(scale)}, random)) return proposal;
  }
}

}  // namespace flaim
