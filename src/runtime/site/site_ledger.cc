#include "runtime/site/site_ledger.h"

#include "base/status.h"

namespace flaim::runtime {

LedgerTerms SiteLedgerTerms(const Study& study, const std::string& data_name) {
  LedgerTerms terms{.data_name = data_name, .budget = study.plan.options.budget, .total = study.plan.terms().allowance};
  if (study.plan.method.accounting == Accounting::kExact) terms.exact_run = study.manifest.id;
  return terms;
}

LedgerOptions FollowingPlanOf(const Study& study) { return {.plan_of_run = study.manifest.id}; }

absl::Status CheckStudyMaySpend(const Study& study, const Ledger& ledger) {
  if (ledger.terms().exact_run != study.manifest.id) RETURN_IF_ERROR(ledger.CheckSpendableByAll());
  return ledger.CheckNoise(!study.IsResearch());
}

}  // namespace flaim::runtime
