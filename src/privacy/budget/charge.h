#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "privacy/budget/budget.h"
#include "privacy/numbers/rational.h"

namespace flaim {

// The discrete Gaussian mechanism on a vector of integers. One record moves the vector by at most the square root of
// sensitivity_squared in L2 norm (a set of d marginals: d). Costs sensitivity_squared / (2 sigma_squared).
struct GaussianMechanism {
  Rational sigma_squared;
  std::int64_t sensitivity_squared = 1;

  bool operator==(const GaussianMechanism&) const = default;
};

// The exponential mechanism on integer scores. One record moves each score by at most `sensitivity`; candidate q is
// chosen with probability proportional to exp(epsilon * score_q / (2 * sensitivity)). Costs epsilon^2 / 8.
struct ExponentialMechanism {
  Rational epsilon;
  std::int64_t sensitivity = 1;

  bool operator==(const ExponentialMechanism&) const = default;
};

using Mechanism = std::variant<GaussianMechanism, ExponentialMechanism>;

// Refuses what has no meaning (no noise at all, a sensitivity below 1) and what no budget could pay (a cost of 2^12 or
// more). Whoever reads a mechanism from outside asks this first.
absl::Status Validate(const Mechanism& mechanism);

// The zCDP cost of one use, rounded up to whole units: exact integer arithmetic, so equal mechanisms cost the same on
// every machine and no cost is ever below the true one. REQUIRES: Validate(mechanism).
Rho CostOf(const Mechanism& mechanism);

// What one release is and what it pays for. (run, round, query) names the release: asking twice for the same name
// gives the same value, never a second draw.
struct Charge {
  std::string run;
  std::int64_t round = 0;
  std::string query;  // public text, e.g. "age,sex"
  Mechanism mechanism;
  Adjacency adjacency = Adjacency::kAddRemoveOneRecord;

  bool operator==(const Charge&) const = default;
};

}  // namespace flaim
