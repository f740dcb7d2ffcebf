#pragma once

#include <span>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "privacy/accountants/gaussian_accountant.h"
#include "privacy/budget/budget.h"
#include "privacy/budget/charge.h"

namespace flaim {

// One release of a schedule that is fixed in advance, as the exact accountant sees it.
//
// A GaussianMechanism here is discrete noise on counts in which one record moves sensitivity_squared coordinates by one
// each, as in that many marginals; an ExponentialMechanism is any mechanism of bounded range epsilon.
// A SplitGaussian is the same noise brought along in shares, as in a secure sum: on a lattice of multiples of 1/u,
// where the resolution u, a power of two, depends on how many take part, and whoever invites them may choose it. It is
// charged for the worst u, given everything before, and for what shares lose against one draw.
struct SplitGaussian {
  GaussianMechanism mechanism;
};
using Step = std::variant<Mu, GaussianMechanism, SplitGaussian, ExponentialMechanism>;

// The exact accountant: what a schedule of mixed releases costs as (epsilon, delta), without the detour over zCDP.
//
// It follows the privacy profile through the schedule, from the last release back to the first (privacy_profile.h).
// The person's data may decide everything that the mechanisms leave open, and each query may depend on earlier
// answers: the recursion takes the worst case at each step, given what was seen before.
//
// Covers: a fixed sequence of mechanisms with fixed parameters, in the order given, with queries chosen adaptively.
// Does not cover: parameters, order or stopping that depend on earlier answers. For those only the zCDP total holds,
// which is why the ledger counts in Rho.
//
// Guarantees: the results are never below the true values. Every approximation (lattice, tails, floating point) rounds
// outward. A coarser lattice makes the answer larger, never wrong. A schedule may have up to 100000 steps.

// An upper bound on the delta of the schedule at epsilon. Refuses epsilon outside [0, 1000].
absl::StatusOr<double> ExactDelta(std::span<const Step> steps, double epsilon);

// An upper bound on the epsilon of the schedule at delta. Refuses delta outside [1e-15, 1).
absl::StatusOr<double> ExactEpsilon(std::span<const Step> steps, double delta);

// The smaller of ExactDelta and what the zCDP total gives. Both are valid, so their minimum is.
absl::StatusOr<double> BestDelta(std::span<const Step> steps, double epsilon);

// The schedule with `scale` times the noise: sigma and 1/epsilon are multiplied, exact fractions rounded to the private
// side. Refuses a scale that is not positive or leaves the range of exact fractions.
absl::StatusOr<std::vector<Step>> ScaleNoise(std::span<const Step> steps, double scale);

// The smallest scale found, to four digits and not below `least`, with which BestDelta(ScaleNoise(steps, scale),
// epsilon) <= delta. That was worked out for the very scale returned: the delta of discrete noise is a saw-tooth in
// sigma, so one that is enough says nothing about a larger one.
absl::StatusOr<double> CalibrateNoise(std::span<const Step> steps, const PrivacyBudget& budget, double least = 0);

}  // namespace flaim
