#include "algorithms/spending/equal.h"

#include <algorithm>
#include <limits>

#include "algorithms/spending/parts.h"
#include "base/status.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

constexpr int kNoCap = std::numeric_limits<int>::max();

}  // namespace

absl::StatusOr<std::unique_ptr<SpendingPlan>> EqualSpending::Create(const Method& method, const PrivacyBudget& budget,
                                                                    int attributes, SumNoise noise) {
  std::unique_ptr<EqualSpending> plan(new EqualSpending(method, attributes));
  const Rho allowance = RhoFor(budget);
  const int rounds = std::get<FixedRounds>(method.rounds).rounds;
  const bool is_capped = method.accounting != Accounting::kPaper && method.membership == Membership::kPresent;
  const int rounds_paid = is_capped ? std::min(rounds, method.participation_cap) : rounds;
  if (plan->shape_.measured() > 0) plan->rounds_ = plan->rounds_left_ = rounds;
  RETURN_IF_ERROR(plan->PlanRounds(allowance, rounds_paid));
  if (method.accounting == Accounting::kExact) RETURN_IF_ERROR(plan->UseExactAccountant(budget, rounds_paid, noise));
  plan->terms_ = {std::max(allowance, plan->AskedFor(rounds_paid)), is_capped ? method.participation_cap : kNoCap};
  return plan;
}

absl::Status EqualSpending::PlanRounds(Rho allowance, int rounds_paid) {
  const bool has_rounds = shape_.measured() > 0;
  const double rho = allowance.ToDouble() - (1.0 + rounds_paid) * shape_.RoundingOfRound().ToDouble();
  const double marginals_paid = shape_.one_ways_at_first() + (has_rounds ? 1.0 * rounds_paid * shape_.measured() : 0);
  const double rho_of_marginal = shape_.measurement_share() * rho / marginals_paid;
  const double rho_of_selection =
      shape_.selections() == 0 ? 0 : (1 - shape_.measurement_share()) * rho / (1.0 * rounds_paid * shape_.selections());
  if (has_rounds) {
    ASSIGN_OR_RETURN(round_, shape_.Round(rho_of_marginal, rho_of_selection));
  }
  if (shape_.one_ways_at_first() > 0) {
    initialisation_.emplace();
    ASSIGN_OR_RETURN(initialisation_->one_way_sigma_squared, SigmaSquaredFor(rho_of_marginal, 1));
  }
  return absl::OkStatus();
}

Rho EqualSpending::AskedFor(int rounds_paid) const {
  Rho asked_for;
  if (initialisation_) asked_for = shape_.CostOfRound(*initialisation_);
  if (!round_) return asked_for;
  const Rho round = shape_.CostOfRound(*round_);
  for (int i = 0; i < rounds_paid; ++i) asked_for = asked_for + round;
  return asked_for;
}

absl::Status EqualSpending::UseExactAccountant(const PrivacyBudget& budget, int rounds_paid, SumNoise noise) {
  std::vector<Step> steps;
  const auto add_sum = [&](const Rational& sigma_squared, int marginals) {
    steps.push_back(StepOfSum({sigma_squared, marginals}, noise));
  };
  if (initialisation_) add_sum(*initialisation_->one_way_sigma_squared, attributes_);
  for (int i = 0; round_ && i < rounds_paid; ++i) {
    if (round_->one_way_sigma_squared) add_sum(*round_->one_way_sigma_squared, attributes_);
    if (!round_->sigma_squared) continue;
    for (int choice = 0; choice < shape_.selections(); ++choice) {
      if (shape_.MeasuresLocally() && choice > 0) steps.push_back(GaussianMechanism{*round_->sigma_squared});
      steps.push_back(ExponentialMechanism{round_->epsilon});
    }
    add_sum(*round_->sigma_squared, method_.local_steps);
  }
  ASSIGN_OR_RETURN(const double scale, CalibrateNoise(steps, budget));
  const auto scaled = [&](std::optional<Rational>& sigma_squared) -> absl::Status {
    if (!sigma_squared) return absl::OkStatus();
    ASSIGN_OR_RETURN(sigma_squared, Rational::RoundUp(sigma_squared->ToDouble() * scale * scale));
    return absl::OkStatus();
  };
  if (initialisation_) RETURN_IF_ERROR(scaled(initialisation_->one_way_sigma_squared));
  if (!round_) return absl::OkStatus();
  RETURN_IF_ERROR(scaled(round_->one_way_sigma_squared));
  RETURN_IF_ERROR(scaled(round_->sigma_squared));
  ASSIGN_OR_RETURN(round_->epsilon, Rational::RoundDown(round_->epsilon.ToDouble() / scale));
  return absl::OkStatus();
}

absl::StatusOr<std::optional<RoundSpending>> EqualSpending::Next(std::size_t) {
  if (IsOver()) return std::nullopt;
  round_->is_last = --rounds_left_ == 0;
  return round_;
}

double EqualSpending::ShareSpent() const {
  return rounds_ == 0 ? 1 : static_cast<double>(rounds_ - rounds_left_) / rounds_;
}

}  // namespace flaim
