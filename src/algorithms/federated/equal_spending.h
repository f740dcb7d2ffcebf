#pragma once

#include "algorithms/federated/spending.h"

namespace flaim {

// Rounds that all cost the same (Lemma 4.1), or that anneal. With C the rounds that a client pays for (its cap, or all
// T), s local steps, d attributes and r the share of measurements:
//
//   sigma^2 = (C s + d) / (2 r rho), or C (s + d) / (2 r rho) if the one-ways are measured in every round;
//   epsilon = sqrt(8 (1 - r) rho / (C s)).
//
// Without a selection r is 1. Clients that measure between their local steps pay for s - 1 measurements more. Annealed
// rounds start as if T were rounds_per_attribute * d, and the last takes what is left.
//
// As published, a client is asked for more than rho: client_terms() says how much that is.
class EqualSpending final : public SpendingPlan {
 public:
  static absl::StatusOr<std::unique_ptr<SpendingPlan>> Create(const Method& method, const PrivacyBudget& budget,
                                                              int attributes);

  ClientTerms client_terms() const override { return terms_; }
  std::optional<RoundSpending> Initialisation() const override { return initialisation_; }
  absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t known) override;
  bool IsOver() const override { return !round_ || is_over_; }
  void Observe(bool improved) override;
  int PlannedRounds() const override { return rounds_left_ ? rounds_ : 0; }
  double ShareSpent() const override;

 private:
  // What a round is made of, as one client sees it.
  struct Shape {
    int one_ways = 0;
    int measured = 0;    // marginals, one-ways included
    int selections = 0;  // by the exponential mechanism, or looks at scores
    double measurement_share = 1;
  };

  EqualSpending(const Method& method, int attributes);
  // Whether clients pay for measurements between their local steps.
  bool MeasuresLocally() const;
  // Whether choices are charged at half their sensitivity.
  bool IsHalved() const;
  // A unit for each of the costs that CostOfRound rounds up.
  Rho RoundingOfRound() const;
  absl::StatusOr<RoundSpending> Round(double rho_of_marginal, double rho_of_selection) const;
  Rho CostOfRound(const RoundSpending& round) const;
  absl::Status UseExactAccountant(const PrivacyBudget& budget, int rounds_paid);
  absl::Status SpendAllThatIsLeft();

  Method method_;
  int attributes_;
  Shape shape_;
  ClientTerms terms_;
  std::optional<RoundSpending> initialisation_;
  std::optional<RoundSpending> round_;  // nothing when there are none
  std::optional<int> rounds_left_;      // when their number is fixed
  int rounds_ = 0;
  Rho left_;  // when they are annealed
  bool is_over_ = false;
};

}  // namespace flaim
