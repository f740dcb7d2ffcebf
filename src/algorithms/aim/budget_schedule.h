#pragma once

#include <optional>
#include <variant>

#include "absl/status/statusor.h"
#include "privacy/budget/budget.h"
#include "privacy/budget/charge.h"

namespace flaim {

// What one round may cost: a selection and the measurement of one marginal.
struct RoundBudget {
  Rational epsilon;        // of the exponential mechanism
  Rational sigma_squared;  // of the Gaussian noise
  bool is_last = false;

  Rho Cost() const;
  double Sigma() const;
};

// Rounds of falling noise: as many as `rounds_per_attribute` would allow for each attribute at the first noise level,
// but a round that teaches little halves sigma and doubles epsilon for the next, and the last takes all that is left.
struct Annealed {
  double rounds_per_attribute = 4;  // the paper has 16
};
// A fixed number of equal rounds, as in the paper's comparisons.
struct FixedRounds {
  int rounds = 10;
};
using RoundPlan = std::variant<Annealed, FixedRounds>;

// How AIM spends an allowance (Algorithm 2, lines 3, 4 and 14 to 16). Exact: costs are added in whole units of Rho, and
// no sequence of rounds costs more than the allowance.
//
// Of each round, kMeasurementShare of the cost is for measuring and the rest for selecting.
//   annealed:  sigma_0^2 = T / (2 * 0.9 * rho) with T = rounds_per_attribute * d
//   fixed T:   sigma^2 = (T + d) / (2 * 0.9 * rho),  epsilon = sqrt(8 * 0.1 * rho / T)
class BudgetSchedule {
 public:
  static constexpr double kMeasurementShare = 0.9;

  // Refuses a plan without rounds, and an allowance that does not pay for the one-way marginals and one round.
  static absl::StatusOr<BudgetSchedule> Create(Rho allowance, int attributes, const RoundPlan& plan);

  // All one-way marginals in one release: one record is in one cell of each.
  const GaussianMechanism& one_ways() const { return one_ways_; }

  // The next round, taken off the allowance; none when it is over.
  std::optional<RoundBudget> Next();

  // What the last round taught: with `improved` false, noise hid what there was to learn, and the next is more precise.
  void Observe(bool improved);

  Rho spent() const { return allowance_ - left_; }
  Rho allowance() const { return allowance_; }

 private:
  BudgetSchedule(Rho allowance, const GaussianMechanism& one_ways, const RoundBudget& round,
                 std::optional<int> rounds_left);
  void SpendAllThatIsLeft();

  Rho allowance_;
  Rho left_;
  GaussianMechanism one_ways_;
  RoundBudget round_;
  std::optional<int> rounds_left_;  // when their number is fixed
  bool is_over_ = false;
};

}  // namespace flaim
