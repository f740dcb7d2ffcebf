#pragma once

#include <compare>
#include <cstdint>

#include "absl/status/statusor.h"

namespace flaim {

// Which tables count as neighbours. The project makes one promise, and spells it out wherever it is recorded.
enum class Adjacency : std::uint8_t {
  kAddRemoveOneRecord = 1,
};

// The promise to a person: (epsilon, delta)-differential privacy. An immutable value, validated when made.
class PrivacyBudget {
 public:
  // Refuses epsilon outside (0, 100] and delta outside (0, 0.1].
  static absl::StatusOr<PrivacyBudget> Create(double epsilon, double delta);

  double epsilon() const { return epsilon_; }
  double delta() const { return delta_; }
  bool operator==(const PrivacyBudget&) const = default;

 private:
  PrivacyBudget(double epsilon, double delta) : epsilon_(epsilon), delta_(delta) {}

  double epsilon_;
  double delta_;
};

// A cost or allowance in zero-concentrated differential privacy, counted in whole units of 2^-50 so that adding up
// never rounds: the sum of a thousand debits is exactly what an auditor gets from adding them again. Rounding happens
// once, when a number becomes a Rho, and the caller says in which direction: costs up, allowances down.
class Rho {
 public:
  static constexpr int kUnitBits = 50;

  constexpr Rho() = default;
  static constexpr Rho FromUnits(std::int64_t units) { return Rho(units); }
  // REQUIRES: 0 <= value < 2^12.
  static Rho RoundUp(double value);
  static Rho RoundDown(double value);

  constexpr std::int64_t units() const { return units_; }
  double ToDouble() const { return static_cast<double>(units_) * 0x1p-50; }

  // CHECKs against overflow and a negative result.
  Rho operator+(Rho other) const;
  Rho operator-(Rho other) const;

  auto operator<=>(const Rho&) const = default;

 private:
  explicit constexpr Rho(std::int64_t units) : units_(units) {}

  std::int64_t units_ = 0;
};

}  // namespace flaim
