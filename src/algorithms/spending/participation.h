#pragma once

#include <map>
#include <utility>
#include <vector>

#include "algorithms/spending/spending.h"
#include "privacy/accountants/exact_accountant.h"

namespace flaim {

// FLAIM-Once: a client spends rho / C in each of its C participations, whatever the round is made of: C is its cap, or
// T if that is less; the members of a pool take part in all T. In a round that chooses, rho_s = (1 - r) rho / C is for
// choosing, in others nothing; the rest rho_g is for counts. With m marginals measured in the round beside the d
// one-ways, and a their share:
//
//   one-ways  sigma_1^2 = d / (2 a rho_g),   the others  sigma^2 = m / (2 (1 - a) rho_g),   a = 1 if m = 0.
//
// The exact accountant lowers the noise of rounds whose releases are all counts or exponential mechanisms; it does not
// cover summed scores, and rounds with those keep the noise above. It holds for the noise as it is brought into sums:
// by one draw, or in shares.
class ParticipationSpending final : public SpendingPlan {
 public:
  static absl::StatusOr<std::unique_ptr<SpendingPlan>> Create(const Method& method, const PrivacyBudget& budget,
                                                              int attributes, SumNoise noise);

  std::unique_ptr<SpendingPlan> Clone() const override {
    return std::unique_ptr<SpendingPlan>(new ParticipationSpending(*this));
  }
  ClientTerms client_terms() const override;
  std::optional<RoundSpending> Initialisation() const override { return std::nullopt; }
  absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t known) override;
  bool IsOver() const override { return begun_ == plan_.rounds; }
  bool WatchesNext() const override;
  void Observe(bool) override {}
  int PlannedRounds() const override { return plan_.rounds; }
  double ShareSpent() const override { return static_cast<double>(begun_) / plan_.rounds; }
  Rho Spent() const override { return Rho::RoundUp(client_terms().allowance.ToDouble() * begun_ / participations_); }

 private:
  ParticipationSpending(const Method& method, const PrivacyBudget& budget, int attributes, SumNoise noise);
  // Marginals to choose.
  int ChoicesIn(int round) const;
  // Divides them among selections that choose equally many: never more than planned in all.
  void PlanChoices(int choices, RoundSpending& round) const;
  // What the exact accountant has to follow.
  std::vector<Step> StepsOf(int known, const RoundSpending& round) const;
  // What the exact accountant lets the noise of such a round be multiplied by.
  absl::StatusOr<double> ExactScale(int known, const RoundSpending& round);
  absl::Status UseExactAccountant(int known, RoundSpending& round);

  Method method_;
  ChooseThenMeasure plan_;
  PrivacyBudget budget_;
  Rho allowance_;
  int attributes_;
  SumNoise noise_;
  int participations_ = 1;  // that a client pays for
  int begun_ = 0;
  std::map<std::pair<int, int>, double> scale_of_shape_;  // by marginals known and selections
};

}  // namespace flaim
