#pragma once

#include "absl/status/statusor.h"
#include "algorithms/methods/method.h"
#include "algorithms/spending/spending.h"

namespace flaim {

// What a round is made of, where all rounds are alike: as one client sees it, and what that costs it.
class RoundShape {
 public:
  RoundShape(const Method& method, int attributes);

  int measured() const { return measured_; }      // marginals, one-ways included
  int selections() const { return selections_; }  // by the exponential mechanism, or looks at scores
  double measurement_share() const { return measurement_share_; }
  // Whether clients pay for measurements between their local steps.
  bool MeasuresLocally() const;
  int one_ways_at_first() const { return one_ways_at_first_; }

  absl::StatusOr<RoundSpending> Round(double rho_of_marginal, double rho_of_selection) const;
  // The inverse: what a choice of the round takes.
  double RhoOfSelection(const RoundSpending& round) const;
  Rho CostOfRound(const RoundSpending& round) const;
  // A unit for each of the costs that CostOfRound rounds up.
  Rho RoundingOfRound() const;

 private:
  Method method_;
  int attributes_;
  int one_ways_at_first_ = 0;
  int one_ways_ = 0;
  int measured_ = 0;
  int selections_ = 0;
  double measurement_share_ = 1;
};

}  // namespace flaim
