#include "privacy/samplers/exp_bounds.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.h"

namespace flaim {
namespace {

constexpr int kTaylorTerms = 21;
constexpr std::size_t kWholeLimit = 45;

constexpr std::uint64_t Multiply(std::uint64_t left, std::uint64_t right) {
  return static_cast<std::uint64_t>((static_cast<UInt128>(left) * right) >> kExpFractionBits);
}

constexpr std::array<std::uint64_t, kTaylorTerms> InverseFactorials() {
  std::array<std::uint64_t, kTaylorTerms> coefficients{};
  std::uint64_t factorial = 1;
  for (std::size_t i = 0; i < kTaylorTerms; ++i) {
    factorial *= std::max<std::uint64_t>(i, 1);
    coefficients[i] = kExpOne / factorial;
  }
  return coefficients;
}

constexpr std::array<std::uint64_t, kTaylorTerms> kCoefficients = InverseFactorials();

// REQUIRES: x <= kExpOne.
constexpr std::uint64_t ExpOfFraction(std::uint64_t x) {
  std::uint64_t sum = kCoefficients[kTaylorTerms - 1];
  for (std::size_t i = kTaylorTerms - 1; i-- > 0;) sum = kCoefficients[i] - Multiply(x, sum);
  return sum;
}

constexpr std::array<std::uint64_t, kWholeLimit> ExpOfWholeNumbers() {
  std::array<std::uint64_t, kWholeLimit> powers{};
  powers[0] = kExpOne;
  for (std::size_t whole = 1; whole < kWholeLimit; ++whole) {
    powers[whole] = Multiply(powers[whole - 1], ExpOfFraction(kExpOne));
  }
  return powers;
}

constexpr std::array<std::uint64_t, kWholeLimit> kExpOfWhole = ExpOfWholeNumbers();

int LeadingZeros(UInt128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
}

// floor(2^62 * numerator / denominator) for numerator < denominator, by long division with as many bits a step as fit.
std::uint64_t FractionUnits(UInt128 numerator, UInt128 denominator) {
  const int step_bits = LeadingZeros(denominator);
  std::uint64_t quotient = 0;
  for (int missing_bits = kExpFractionBits; missing_bits > 0;) {
    const int bits = std::min(step_bits, missing_bits);
    const UInt128 shifted = numerator << bits;
    quotient = (quotient << bits) | static_cast<std::uint64_t>(shifted / denominator);
    numerator = shifted % denominator;
    missing_bits -= bits;
  }
  return quotient;
}

}  // namespace

ExpBounds BoundExp(const WideRational& gamma) {
  CHECK(gamma.denominator > 0 && LeadingZeros(gamma.denominator) > 0);
  const UInt128 whole = gamma.numerator / gamma.denominator;
  if (whole >= kWholeLimit) return {.lower = 0, .upper = 1};

  const std::uint64_t fraction = FractionUnits(gamma.numerator % gamma.denominator, gamma.denominator);
  const std::uint64_t approximate = Multiply(kExpOfWhole[static_cast<std::size_t>(whole)], ExpOfFraction(fraction));
  return {.lower = approximate > kExpErrorUnits ? approximate - kExpErrorUnits : 0,
          .upper = approximate + kExpErrorUnits};
}

}  // namespace flaim
