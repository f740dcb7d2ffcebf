#include "algorithms/spending/annealed.h"

#include <cmath>
#include <limits>

#include "algorithms/spending/parts.h"
#include "base/check.h"
#include "base/status.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {

absl::StatusOr<std::unique_ptr<SpendingPlan>> AnnealedSpending::Create(const Method& method,
                                                                       const PrivacyBudget& budget, int attributes) {
  const double rounds = std::get<Annealed>(method.rounds).rounds_per_attribute * attributes;
  if (!(rounds >= 1 && rounds <= 1e6)) {
    return InvalidArgument("the number of rounds must be between 1 and 1000000");
  }
  std::unique_ptr<AnnealedSpending> plan(new AnnealedSpending(method, attributes, RhoFor(budget)));
  RETURN_IF_ERROR(plan->PlanRounds(rounds));
  Rho first;
  if (plan->initialisation_) first = plan->shape_.CostOfRound(*plan->initialisation_);
  const Rho round = plan->round_ ? plan->shape_.CostOfRound(*plan->round_) : Rho();
  if (first + round > plan->allowance_) {
    return BudgetRefused(
        "the {} one-way marginals cost rho {:.3g}, which leaves no round of the budget of {:.3g}. Plan more rounds",
        attributes, first.ToDouble(), plan->allowance_.ToDouble());
  }
  plan->left_ = plan->allowance_ - first;
  return plan;
}

absl::Status AnnealedSpending::PlanRounds(double rounds) {
  // Without rounds, the one-way marginals get everything.
  const double measured = shape_.measured() > 0 ? rounds * shape_.measured() : shape_.one_ways_at_first();
  const double rho = allowance_.ToDouble() - (1 + rounds) * shape_.RoundingOfRound().ToDouble();
  const double rho_of_marginal = shape_.measurement_share() * rho / measured;
  if (shape_.measured() > 0) {
    const double choices = rounds * shape_.selections();
    ASSIGN_OR_RETURN(
        round_, shape_.Round(rho_of_marginal, choices == 0 ? 0 : (1 - shape_.measurement_share()) * rho / choices));
  }
  if (shape_.one_ways_at_first() > 0) {
    initialisation_.emplace();
    ASSIGN_OR_RETURN(initialisation_->one_way_sigma_squared, SigmaSquaredFor(rho_of_marginal, 1));
  }
  return absl::OkStatus();
}

ClientTerms AnnealedSpending::client_terms() const { return {allowance_, std::numeric_limits<int>::max()}; }

absl::StatusOr<std::optional<RoundSpending>> AnnealedSpending::Next(std::size_t) {
  if (IsOver()) return std::nullopt;
  const Rho cost = shape_.CostOfRound(*round_);
  if (left_ < cost + cost) RETURN_IF_ERROR(SpendAllThatIsLeft());
  CHECK(shape_.CostOfRound(*round_) <= left_, "a round costs more than is left");
  left_ = left_ - shape_.CostOfRound(*round_);
  return round_;
}

absl::Status AnnealedSpending::SpendAllThatIsLeft() {
  const double rho = left_.ToDouble() - shape_.RoundingOfRound().ToDouble();
  const double selection = shape_.selections() == 0 ? 0 : (1 - shape_.measurement_share()) * rho / shape_.selections();
  ASSIGN_OR_RETURN(round_, shape_.Round(shape_.measurement_share() * rho / shape_.measured(), selection));
  round_->is_last = true;
  return absl::OkStatus();
}

void AnnealedSpending::Observe(bool improved) {
  if (improved || IsOver() || !round_->sigma_squared) return;
  const absl::StatusOr<RoundSpending> finer =
      shape_.Round(4 / (2 * round_->sigma_squared->ToDouble()), 4 * shape_.RhoOfSelection(*round_));
  if (finer.ok()) round_ = *finer;
}

}  // namespace flaim
