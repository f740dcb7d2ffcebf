#include "algorithms/spending/within_ledger.h"

#include <cmath>

#include "algorithms/loop/release_names.h"
#include "base/status.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {

std::unique_ptr<SpendingPlan> WithinLedger::Clone() const {
  auto clone = std::make_unique<WithinLedger>(planned_->Clone(), ledger_, run_);
  clone->begun_ = begun_;
  return clone;
}

absl::StatusOr<std::optional<RoundSpending>> WithinLedger::Next(std::size_t known) {
  ASSIGN_OR_RETURN(const std::optional<RoundSpending> planned, planned_->Next(known));
  ++begun_;
  if (!planned || !planned->is_last || !planned->sigma_squared) return planned;
  return Afford(*planned);
}

absl::StatusOr<RoundSpending> WithinLedger::Afford(RoundSpending round) const {
  const std::int64_t number = begun_ + (planned_->Initialisation() ? kInitialRound : 0);
  const std::optional<Mechanism> selected = ledger_.RecordedMechanism(SelectionName(run_, number, 0));
  const std::optional<Mechanism> measured = ledger_.RecordedMechanism(ChosenName(run_, number, 0));
  if (const auto* paid = selected ? std::get_if<ExponentialMechanism>(&*selected) : nullptr) {
    round.epsilon = paid->epsilon;
  }
  if (const auto* paid = measured ? std::get_if<GaussianMechanism>(&*measured) : nullptr) {
    round.sigma_squared = paid->sigma_squared;
  }
  const Rho selection = selected ? Rho() : CostOf(ExponentialMechanism{round.epsilon});
  const Rho measurement = measured ? Rho() : CostOf(GaussianMechanism{*round.sigma_squared});
  if (selection + measurement <= ledger_.left()) return round;

  // Two units for rounding the two costs up.
  const double left = ledger_.left().ToDouble() - Rho::FromUnits(2).ToDouble();
  const double share = left / (selection + measurement).ToDouble();
  if (!(share > 0)) {
    return BudgetRefused("crashes have cost so much of the ledger for '{}' that nothing is left for the last round",
                         ledger_.terms().data_name);
  }
  if (!selected) {
    ASSIGN_OR_RETURN(round.epsilon, Rational::RoundDown(round.epsilon.ToDouble() * std::sqrt(share)));
  }
  if (!measured) {
    ASSIGN_OR_RETURN(round.sigma_squared, Rational::RoundUp(round.sigma_squared->ToDouble() / share));
  }
  return round;
}

}  // namespace flaim
