#include "privacy/samplers/bernoulli_exp.h"

#include <cstdint>
#include <limits>

#include "base/check.h"

namespace flaim {
namespace {

UInt128 LowBitsMask(UInt128 largest) {
  UInt128 mask = largest;
  for (int shift = 1; shift < 128; shift *= 2) mask |= mask >> shift;
  return mask;
}

// For gamma <= 1: exp(-gamma) = sum over odd k of P(the first k - 1 flips succeed, the k-th fails), where flip k
// succeeds with probability gamma / k.
bool SampleBernoulliExpUpToOne(const WideRational& gamma, RandomSource& random) {
  std::uint64_t flip = 1;
  while (true) {
    UInt128 denominator;
    CHECK(!__builtin_mul_overflow(gamma.denominator, flip, &denominator), "gamma has too large a denominator");
    if (!SampleBernoulli({gamma.numerator, denominator}, random)) return flip % 2 == 1;
    ++flip;
  }
}

}  // namespace

UInt128 UniformBelow(UInt128 bound, RandomSource& random) {
  CHECK(bound > 0);
  if (bound <= std::numeric_limits<std::uint64_t>::max()) return random.NextBelow(static_cast<std::uint64_t>(bound));
  const UInt128 mask = LowBitsMask(bound - 1);
  while (true) {
    const UInt128 high = random.NextU64();
    const UInt128 draw = ((high << 64) | random.NextU64()) & mask;
    if (draw < bound) return draw;
  }
}

bool SampleBernoulli(const WideRational& probability, RandomSource& random) {
  CHECK(probability.numerator <= probability.denominator, "a probability above 1");
  return UniformBelow(probability.denominator, random) < probability.numerator;
}

bool SampleBernoulliExp(const WideRational& gamma, RandomSource& random) {
  CHECK(gamma.denominator > 0);
  const UInt128 whole = gamma.numerator / gamma.denominator;
  for (UInt128 i = 0; i < whole; ++i) {
    if (!SampleBernoulliExpUpToOne({1, 1}, random)) return false;
  }
  return SampleBernoulliExpUpToOne({gamma.numerator % gamma.denominator, gamma.denominator}, random);
}

}  // namespace flaim
