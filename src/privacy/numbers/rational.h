#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace flaim {

// An exact non-negative fraction in lowest terms: the variance of a noise distribution, the epsilon of a selection.
// Mechanisms take these instead of doubles, so that what is sampled is exactly what is charged.
class Rational {
 public:
  // Larger terms would overflow the 128-bit products of the samplers.
  static constexpr std::int64_t kMaxTerm = std::int64_t{1} << 40;

  // REQUIRES: 0 <= numerator <= kMaxTerm, 0 < denominator <= kMaxTerm.
  Rational(std::int64_t numerator, std::int64_t denominator);

  // The smallest fraction not below (the largest not above) `value` among the multiples of 2^-k, where k keeps 30
  // significant bits but is at most 40. So rounding moves a value of at least 2^-10 by less than one part in 2^29.
  // Refuses what is negative, not finite or above 2^39.
  static absl::StatusOr<Rational> RoundUp(double value);
  static absl::StatusOr<Rational> RoundDown(double value);

  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }
  double ToDouble() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }
  std::string ToString() const;  // "5/3", or "4" when whole

  bool operator==(const Rational&) const = default;
  std::strong_ordering operator<=>(const Rational& other) const;

 private:
  std::int64_t numerator_;
  std::int64_t denominator_;
};

}  // namespace flaim
