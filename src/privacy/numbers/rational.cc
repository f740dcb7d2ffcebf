#include "privacy/numbers/rational.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "base/int128.h"
#include "base/status.h"

namespace flaim {
namespace {

// `value` as multiple of 2^-bits, bits chosen so that about 30 significant bits remain and the denominator fits.
absl::StatusOr<Rational> OnGrid(double value, double (*round)(double)) {
  if (!std::isfinite(value) || value < 0 || value > 0x1p39) {
    return InvalidArgument("{} cannot be made an exact fraction; allowed are 0 to 2^39", value);
  }
  const int exponent = value > 0 ? std::ilogb(value) : 0;
  const int bits = std::clamp(30 - exponent, 0, 40);
  const double scaled = round(std::ldexp(value, bits));
  return Rational(static_cast<std::int64_t>(scaled), std::int64_t{1} << bits);
}

UInt128 Product(std::int64_t left, std::int64_t right) {
  return static_cast<UInt128>(left) * static_cast<UInt128>(right);
}

}  // namespace

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  CHECK(0 <= numerator && numerator <= kMaxTerm, "numerator {}", numerator);
  CHECK(0 < denominator && denominator <= kMaxTerm, "denominator {}", denominator);
  const std::int64_t divisor = std::gcd(numerator, denominator);
  numerator_ = numerator / divisor;
  denominator_ = denominator / divisor;
}

absl::StatusOr<Rational> Rational::RoundUp(double value) { return OnGrid(value, std::ceil); }
absl::StatusOr<Rational> Rational::RoundDown(double value) { return OnGrid(value, std::floor); }

std::string Rational::ToString() const {
  return denominator_ == 1 ? fmt::format("{}", numerator_) : fmt::format("{}/{}", numerator_, denominator_);
}

std::strong_ordering Rational::operator<=>(const Rational& other) const {
  return Product(numerator_, other.denominator_) <=> Product(other.numerator_, denominator_);
}

}  // namespace flaim
