#pragma once

#include "algorithms/federated/spending.h"

namespace flaim {

// FLAIM-Once: a client spends rho / C in each of its C participations, whatever the round is made of. In a round that
// chooses, rho_s = (1 - r) rho / C is for choosing, in others nothing; the rest rho_g is for counts. With m marginals
// measured in the round beside the d one-ways, and a their share:
//
//   one-ways  sigma_1^2 = d / (2 a rho_g),   the others  sigma^2 = m / (2 (1 - a) rho_g),   a = 1 if m = 0.
//
// The exact accountant lowers the noise of rounds whose releases are all counts or exponential mechanisms; it does not
// cover summed scores, and rounds with those keep the noise above.
class ParticipationSpending final : public SpendingPlan {
 public:
  static absl::StatusOr<std::unique_ptr<SpendingPlan>> Create(const Method& method, const PrivacyBudget& budget,
                                                              int attributes);

  ClientTerms client_terms() const override;
  std::optional<RoundSpending> Initialisation() const override { return std::nullopt; }
  absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t chosen) override;
  void Observe(bool) override {}
  double ShareSpent() const override { return static_cast<double>(begun_) / plan_.rounds; }

 private:
  ParticipationSpending(const Method& method, const PrivacyBudget& budget, int attributes);
  int ChoicesIn(int round) const;
  absl::Status UseExactAccountant(int measured, RoundSpending& round) const;

  Method method_;
  ChooseThenMeasure plan_;
  PrivacyBudget budget_;
  int attributes_;
  int begun_ = 0;
};

}  // namespace flaim
