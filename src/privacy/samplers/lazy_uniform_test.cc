#include "privacy/samplers/lazy_uniform.h"

#include <cmath>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "privacy/samplers/random_source_testing.h"

namespace flaim {
namespace {

EncloseReal ScaledExp(const WideRational& gamma, UInt128 factor) {
  return [=](Enclosure& result) {
    EncloseExp(gamma, result);
    MultiplyByInteger(factor, result);
  };
}

// The first `count` 64-bit digits of exp(-gamma), 0 < exp(-gamma) < 1.
std::vector<std::uint64_t> DigitsOfExp(const WideRational& gamma, int count) {
  Enclosure value(mpfr_prec_t{64} * (count + 2));
  EncloseExp(gamma, value);
  std::vector<std::uint64_t> digits;
  for (int i = 0; i < count; ++i) {
    mpfr_mul_2ui(value.lower(), value.lower(), 64, MPFR_RNDN);
    const std::uint64_t digit = mpfr_get_ui(value.lower(), MPFR_RNDD);
    mpfr_sub_ui(value.lower(), value.lower(), digit, MPFR_RNDN);
    digits.push_back(digit);
  }
  return digits;
}

TEST(UniformIsBelow, ReadsOnUntilADigitDiffers) {
  const WideRational gamma{7, 5};
  for (std::size_t last = 0; last < 5; ++last) {
    for (const int direction : {-1, +1}) {
      std::vector<std::uint64_t> digits = DigitsOfExp(gamma, 5);
      digits.resize(last + 1);
      digits[last] += static_cast<std::uint64_t>(direction);
      ScriptedRandomSource random(digits);
      EXPECT_EQ(UniformIsBelow(0, ScaledExp(gamma, 1), random), direction < 0);
      EXPECT_EQ(random.words_used(), last + 1);
    }
  }
}

TEST(UniformIsBelow, KnowsThatAnInexpressiblySmallNumberIsNotZero) {
  const WideRational astronomic{UInt128{1} << 120, 3};
  ScriptedRandomSource random({0, 0, 0, 1});
  EXPECT_FALSE(UniformIsBelow(0, ScaledExp(astronomic, UInt128{1} << 64), random));
  EXPECT_EQ(random.words_used(), 4U);
}

TEST(UniformIsBelow, DecidesAtOnceOutsideTheUnitThatHoldsTheNumber) {
  ScriptedRandomSource random({~std::uint64_t{0}, 0});
  EXPECT_TRUE(UniformIsBelow(366, ScaledExp({1, 1}, 1000), random));
  EXPECT_FALSE(UniformIsBelow(368, ScaledExp({1, 1}, 1000), random));
  EXPECT_EQ(random.words_used(), 2U);
}

TEST(UniformIsBelow, IsTrueWithTheProbabilityOfTheFraction) {
  SeededRandomSource random(1);
  const Counts counts = CountDraws(30'000, [&] { return UniformIsBelow(367, ScaledExp({1, 1}, 1000), random); });
  const long double fraction = 1000 * std::exp(-1.0L) - 367;
  EXPECT_GT(ChiSquaredPValue(counts, {{0, 1 - fraction}, {1, fraction}}), kTestAlpha);
}

TEST(DivideByOneMinus, EnclosesTheGeometricSeries) {
  Enclosure ratio(128);
  EncloseExp({1, 3}, ratio);
  Enclosure sum(128);
  EncloseExp({0, 1}, sum);
  DivideByOneMinus(ratio, sum);
  const long double expected = 1 / (1 - std::exp(-1 / 3.0L));
  EXPECT_LT(std::abs(mpfr_get_ld(sum.lower(), MPFR_RNDN) / expected - 1), 1e-18L);
  EXPECT_LT(mpfr_cmp(sum.lower(), sum.upper()), 0);
  mpfr_free_cache();
}

}  // namespace
}  // namespace flaim
