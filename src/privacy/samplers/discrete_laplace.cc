#include "privacy/samplers/discrete_laplace.h"

#include <limits>

#include "base/check.h"
#include "privacy/samplers/bernoulli_exp.h"

namespace flaim {

// With step = s / t: X is geometric with ratio exp(-1 / t), built from its remainder U and quotient V modulo t, and
// floor(X / s) is geometric with ratio exp(-s / t).
std::int64_t SampleGeometric(const WideRational& step, RandomSource& random) {
  CHECK(step.numerator > 0 && step.denominator > 0);
  UInt128 remainder = UniformBelow(step.denominator, random);
  while (!SampleBernoulliExp({remainder, step.denominator}, random)) {
    remainder = UniformBelow(step.denominator, random);
  }
  UInt128 quotient = 0;
  while (SampleBernoulliExp({1, 1}, random)) ++quotient;

  UInt128 fine;
  CHECK(!__builtin_mul_overflow(step.denominator, quotient, &fine) && !__builtin_add_overflow(fine, remainder, &fine),
        "step has too large a denominator");
  const UInt128 coarse = fine / step.numerator;
  CHECK(coarse <= static_cast<UInt128>(std::numeric_limits<std::int64_t>::max()), "step is too small");
  return static_cast<std::int64_t>(coarse);
}

std::int64_t SampleDiscreteLaplace(const WideRational& step, RandomSource& random) {
  while (true) {
    const bool negative = SampleBernoulli({1, 2}, random);
    const std::int64_t magnitude = SampleGeometric(step, random);
    if (negative && magnitude == 0) continue;  // or zero would count twice
    return negative ? -magnitude : magnitude;
  }
}

}  // namespace flaim
