#pragma once

#include "absl/status/statusor.h"
#include "privacy/budget/budget.h"

namespace flaim {

// How well two neighbouring tables can be told apart: as well as N(0, 1) from N(mu, 1) (Gaussian differential privacy).
//
// It describes *continuous* Gaussian noise, exactly. The releases of this project carry *discrete* Gaussian noise, and
// for those no mu is claimed: the exact accountant covers them, and docs/PRIVACY.md says how little the two differ. Mu
// is the yardstick: what the tight answer would be, and what the accountants must never undercut.
class Mu {
 public:
  // Refuses what is negative or above 64.
  static absl::StatusOr<Mu> Create(double value);

  double value() const { return value_; }
  auto operator<=>(const Mu&) const = default;

 private:
  explicit Mu(double value) : value_(value) {}

  double value_;
};

// The standard deviation with which a vector of sensitivity 1 is released at mu, rounded up. REQUIRES: mu > 0.
double SigmaFor(Mu mu);

// The analytic Gaussian (Balle and Wang 2018), exact up to rounding, which is upwards:
//   delta = Phi(mu/2 - epsilon/mu) - exp(epsilon) Phi(-mu/2 - epsilon/mu).
// REQUIRES: 0 <= epsilon <= 10000.
double DeltaOf(Mu mu, double epsilon);

// The smallest epsilon found such that DeltaOf(mu, epsilon) <= delta. REQUIRES: 1e-300 <= delta < 1.
double EpsilonOf(Mu mu, double delta);

// The largest mu found such that DeltaOf(mu, epsilon) <= delta, rounded down.
Mu MuFor(const PrivacyBudget& budget);

// What tight accounting buys a pure Gaussian composition: the sigma that mu asks for, as a share of the one that zCDP
// asks for at the same promise. Below 1.
double SigmaShareOfZcdp(const PrivacyBudget& budget);

}  // namespace flaim
