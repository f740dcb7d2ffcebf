#pragma once

#include "privacy/budget/budget.h"

namespace flaim {

// What a total cost in zero-concentrated differential privacy means as (epsilon, delta), and how much cost a promise
// affords. The conversion is the tight one (Canonne, Kamath, Steinke 2020; Lemma A.2 of the FLAIM paper):
//
//   delta = min over alpha > 1 of  exp((alpha - 1)(alpha rho - epsilon)) / (alpha - 1) * (1 - 1/alpha)^alpha.
//
// Costs add up, also when each release and its parameters are chosen after seeing the earlier ones, as long as the
// running total stays within the allowance. That makes this the accountant of the ledger.
//
// Guarantees: every alpha gives a valid bound, and rounding is outward: DeltaOf and EpsilonOf are never below the exact
// minimum, RhoFor is never above what the promise affords.

// REQUIRES: 0 <= epsilon, finite.
double DeltaOf(Rho rho, double epsilon);

// The smallest epsilon found such that DeltaOf(rho, epsilon) <= delta; 0 if nothing more is needed.
// REQUIRES: 0 < delta < 1.
double EpsilonOf(Rho rho, double delta);

// The largest allowance, in whole units, with DeltaOf(allowance, epsilon) <= delta.
Rho RhoFor(const PrivacyBudget& budget);

}  // namespace flaim
