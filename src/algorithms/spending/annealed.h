#pragma once

#include "algorithms/spending/round_shape.h"
#include "algorithms/spending/spending.h"

namespace flaim {

// Rounds of falling noise (Algorithm 2, lines 2 and 16 to 20). With T = rounds_per_attribute * d, r the share of
// measurements, and a round that measures m marginals and chooses s times, the first has
//
//   sigma^2 = T m / (2 r rho),   epsilon = sqrt(8 (1 - r) rho / (T s)),
//
// and the one-way marginals its noise, too. A round that teaches little halves sigma and doubles epsilon for the next;
// the last takes all that is left. Exact: costs are added in whole units of Rho, and no sequence of rounds costs more
// than the allowance.
class AnnealedSpending final : public SpendingPlan {
 public:
  // REQUIRES: annealed rounds. Refuses a budget that does not pay for the one-way marginals and one round.
  static absl::StatusOr<std::unique_ptr<SpendingPlan>> Create(const Method& method, const PrivacyBudget& budget,
                                                              int attributes);

  std::unique_ptr<SpendingPlan> Clone() const override {
    return std::unique_ptr<SpendingPlan>(new AnnealedSpending(*this));
  }
  ClientTerms client_terms() const override;
  std::optional<RoundSpending> Initialisation() const override { return initialisation_; }
  absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t known) override;
  bool IsOver() const override { return !round_ || round_->is_last; }
  void Observe(bool improved) override;
  int PlannedRounds() const override { return 0; }
  double ShareSpent() const override { return 1 - left_.ToDouble() / allowance_.ToDouble(); }
  Rho Spent() const override { return allowance_ - left_; }

 private:
  AnnealedSpending(const Method& method, int attributes, Rho allowance)
      : shape_(method, attributes), allowance_(allowance), left_(allowance) {}

  // The first round and the one-way marginals, as if there were this many rounds.
  absl::Status PlanRounds(double rounds);
  absl::Status SpendAllThatIsLeft();

  RoundShape shape_;
  Rho allowance_;
  Rho left_;
  std::optional<RoundSpending> initialisation_;
  std::optional<RoundSpending> round_;  // nothing when there are none
};

}  // namespace flaim
