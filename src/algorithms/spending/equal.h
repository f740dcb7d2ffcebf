#pragma once

#include "algorithms/spending/round_shape.h"
#include "algorithms/spending/spending.h"

namespace flaim {

// Rounds that all cost the same (Lemma 4.1). With C the rounds that a client pays for (its cap, or all T), s local
// steps, d attributes and r the share of measurements:
//
//   sigma^2 = (C s + d) / (2 r rho), or C (s + d) / (2 r rho) if the one-ways are measured in every round;
//   epsilon = sqrt(8 (1 - r) rho / (C s)).
//
// Without a selection r is 1. Clients that measure between their local steps pay for s - 1 measurements more.
class EqualSpending final : public SpendingPlan {
 public:
  // REQUIRES: a fixed number of rounds.
  static absl::StatusOr<std::unique_ptr<SpendingPlan>> Create(const Method& method, const PrivacyBudget& budget,
                                                              int attributes, SumNoise noise);

  std::unique_ptr<SpendingPlan> Clone() const override {
    return std::unique_ptr<SpendingPlan>(new EqualSpending(*this));
  }
  ClientTerms client_terms() const override { return terms_; }
  std::optional<RoundSpending> Initialisation() const override { return initialisation_; }
  absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t known) override;
  bool IsOver() const override { return !round_ || rounds_left_ == 0; }
  void Observe(bool) override {}
  int PlannedRounds() const override { return rounds_; }
  double ShareSpent() const override;
  Rho Spent() const override { return AskedFor(rounds_ - rounds_left_); }

 private:
  EqualSpending(const Method& method, int attributes)
      : method_(method), attributes_(attributes), shape_(method, attributes) {}

  // The rounds and the initialisation at the noise that zCDP asks for.
  absl::Status PlanRounds(Rho allowance, int rounds_paid);
  // The same at the noise that the exact accountant finds sufficient.
  absl::Status UseExactAccountant(const PrivacyBudget& budget, int rounds_paid, SumNoise noise);
  // What a client is asked for that serves in so many rounds.
  Rho AskedFor(int rounds_paid) const;

  Method method_;
  int attributes_;
  RoundShape shape_;
  ClientTerms terms_;
  std::optional<RoundSpending> initialisation_;
  std::optional<RoundSpending> round_;  // nothing when there are none
  int rounds_ = 0;
  int rounds_left_ = 0;
};

}  // namespace flaim
