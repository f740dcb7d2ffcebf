#include "privacy/samplers/exp_bounds.h"

#include <vector>

#include "base/int128.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/lazy_uniform.h"

namespace flaim {
namespace {

constexpr UInt128 kLargestDenominator = (UInt128{1} << 127) - 1;

// MPFR's enclosure of 2^62 exp(-gamma) must lie inside the integer bounds.
void ExpectBoundsHold(const WideRational& gamma) {
  const ExpBounds bounds = BoundExp(gamma);
  ASSERT_LE(bounds.upper - bounds.lower, 2 * kExpErrorUnits);
  Enclosure exact(192);
  EncloseExp(gamma, exact);
  MultiplyByInteger(kExpOne, exact);
  ASSERT_LE(mpfr_cmp_ui(exact.upper(), bounds.upper), 0) << mpfr_get_d(exact.upper(), MPFR_RNDN);
  ASSERT_GE(mpfr_cmp_ui(exact.lower(), bounds.lower), 0) << mpfr_get_d(exact.lower(), MPFR_RNDN);
}

UInt128 RandomOfBits(int bits, RandomSource& random) {
  const UInt128 high = random.NextU64();
  return ((high << 64) | random.NextU64()) >> (128 - bits);
}

TEST(BoundExp, HoldsForWholeNumbersAndTheirNeighbours) {
  for (unsigned whole = 0; whole < 60; ++whole) {
    for (const UInt128 denominator :
         {UInt128{1}, UInt128{1} << 61, (UInt128{1} << 64) + 13, kLargestDenominator / 64}) {
      ExpectBoundsHold({whole * denominator, denominator});
      ExpectBoundsHold({whole * denominator + 1, denominator});
      ExpectBoundsHold({(whole + 1) * denominator - 1, denominator});
    }
  }
}

TEST(BoundExp, HoldsForTheLargestTerms) {
  ExpectBoundsHold({0, kLargestDenominator});
  ExpectBoundsHold({kLargestDenominator, kLargestDenominator});
  ExpectBoundsHold({~UInt128{0}, kLargestDenominator});
  ExpectBoundsHold({~UInt128{0}, 1});
  ExpectBoundsHold({1, kLargestDenominator});
}

TEST(BoundExp, HoldsForRandomFractionsOfEveryWidth) {
  SeededRandomSource random(1);
  for (int i = 0; i < 100'000; ++i) {
    const int bits = 1 + static_cast<int>(random.NextBelow(127));
    const UInt128 denominator = RandomOfBits(bits, random) + 1;
    if (denominator > kLargestDenominator) continue;
    const auto whole = static_cast<UInt128>(random.NextBelow(64));
    const UInt128 numerator =
        bits <= 120 ? whole * denominator + RandomOfBits(bits, random) : RandomOfBits(bits, random);
    ASSERT_NO_FATAL_FAILURE(ExpectBoundsHold({numerator, denominator}));
  }
}

TEST(BoundExpDeathTest, StopsAtDenominatorsOutOfRange) {
  EXPECT_DEATH(BoundExp({1, 0}), "denominator");
  EXPECT_DEATH(BoundExp({1, UInt128{1} << 127}), "denominator");
}

}  // namespace
}  // namespace flaim
