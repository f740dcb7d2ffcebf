#pragma once

#include <cmath>
#include <cstdint>

namespace flaim {

// A floating-point number of 16 bits, as IEEE 754 has it. Apart from float, because its text needs fewer digits.
struct HalfValue {
  static constexpr std::uint16_t kSignBit = 0x8000;
  static constexpr int kMantissaBits = 10;
  static constexpr int kExponentBias = 15;

  std::uint16_t bits = 0;

  HalfValue Magnitude() const { return {static_cast<std::uint16_t>(bits & ~kSignBit)}; }

  // Exact.
  float ToFloat() const {
    constexpr int kHiddenBit = 1 << kMantissaBits;
    constexpr int kLargestExponent = 2 * kExponentBias + 1;
    const int mantissa = bits % kHiddenBit;
    const int exponent = (bits & ~kSignBit) >> kMantissaBits;
    float magnitude = 0;
    if (exponent == kLargestExponent) {
      magnitude = mantissa == 0 ? INFINITY : NAN;
    } else if (exponent == 0) {
      magnitude = std::ldexp(static_cast<float>(mantissa), 1 - kExponentBias - kMantissaBits);
    } else {
      magnitude = std::ldexp(static_cast<float>(kHiddenBit + mantissa), exponent - kExponentBias - kMantissaBits);
    }
    return (bits & kSignBit) != 0 ? -magnitude : magnitude;
  }
};

}  // namespace flaim
