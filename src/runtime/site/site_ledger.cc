#include "runtime/site/site_ledger.h"

#include "base/status.h"

namespace flaim::runtime {
namespace {

// Ids are the coordinator's choice: a second manifest can have the id of the first, and another plan.
absl::Status CheckTerms(const Study& study, const Ledger& ledger) {
  const LedgerTerms own = SiteLedgerTerms(study, ledger.terms().data_name);
  if (!own.exact_run || ledger.terms().exact_run != own.exact_run) return ledger.CheckSpendableByAll();
  if (ledger.terms().budget == own.budget && ledger.terms().total == own.total) {
    return ledger.CheckSpendableBy(study.manifest.id);
  }
  return FailedPrecondition(
      "the ledger was made for another plan: epsilon {:.6g}, delta {:.3g} where this manifest has epsilon {:.6g}, "
      "delta "
      "{:.3g}, or other rounds. Two studies cannot have one id: ask the coordinator's people for an id of its own",
      ledger.terms().budget.epsilon(), ledger.terms().budget.delta(), own.budget.epsilon(), own.budget.delta());
}

// What the exact accountant plans is released as a whole or is of no use: a ledger that cannot pay for all of it would
// lose what it can pay.
absl::Status CheckIsEnough(const Study& study, const Ledger& ledger) {
  if (study.plan.method.accounting != Accounting::kExact) return absl::OkStatus();
  const Rho allowance = study.plan.terms().allowance;
  const Rho available = ledger.left() + ledger.SpentBy(study.manifest.id);
  if (available >= allowance) return absl::OkStatus();
  return ResourceExhausted(
      "the study costs rho {:.6g}, and the ledger has {:.6g} left for it: some of it would be paid for, and the rest "
      "refused. Exact accounting needs a ledger of its own, or one with a larger budget",
      allowance.ToDouble(), available.ToDouble());
}

}  // namespace

LedgerTerms SiteLedgerTerms(const Study& study, const std::string& data_name) {
  LedgerTerms terms{.data_name = data_name, .budget = study.plan.options.budget, .total = study.plan.terms().allowance};
  if (study.plan.method.accounting == Accounting::kExact) terms.exact_run = study.manifest.id;
  return terms;
}

LedgerOptions FollowingPlanOf(const Study& study) { return {.plan_of_run = study.manifest.id}; }

absl::Status CheckStudyMaySpend(const Study& study, const Ledger& ledger) {
  RETURN_IF_ERROR(CheckTerms(study, ledger));
  RETURN_IF_ERROR(ledger.CheckNoise(!study.IsResearch()));
  return CheckIsEnough(study, ledger);
}

}  // namespace flaim::runtime
