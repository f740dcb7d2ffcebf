#include "app/one_table_run.h"

#include <utility>

#include "algorithms/loop/release_names.h"
#include "algorithms/spending/within_ledger.h"
#include "base/status.h"
#include "one_table/one_table.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {

absl::Status CheckLedgerCovers(Rho allowance, const std::string& run, const Ledger& ledger) {
  if (ledger.HasDebit(OneWaysName(run, kInitialRound)) || allowance <= ledger.left()) return absl::OkStatus();
  return BudgetRefused(
      "this run may cost rho {:.6g}, but of the {:.6g} that the ledger allows for '{}' only {:.6g} is left. Ask for a "
      "smaller epsilon; a budget does not come back",
      allowance.ToDouble(), ledger.terms().total.ToDouble(), ledger.terms().data_name, ledger.left().ToDouble());
}

bool KnowsRun(const Ledger& ledger, const std::string& run) { return ledger.HasValue(OneWaysName(run, kInitialRound)); }

absl::StatusOr<FittedModel> RunOnOneTable(const Method& method, const RunOptions& options, const SpendingPlan& spending,
                                          const Workload& workload, const OneTableResources& resources,
                                          RoundSink& rounds) {
  RETURN_IF_ERROR(CheckLedgerCovers(spending.client_terms().allowance, options.run, resources.ledger));
  ASSIGN_OR_RETURN(std::vector<WeightedQuery> queries, WeightedCompletion(workload, options.weights));
  ASSIGN_OR_RETURN(const std::unique_ptr<OneTable> table,
                   OneTable::Create(resources.rows, std::move(queries), resources.max_kept_cells, resources.ledger,
                                    resources.noise, resources.parallel));
  const WithinLedger affordable(spending.Clone(), resources.ledger, options.run);
  return RunMethod(method, options, affordable, workload, *table, resources.parallel, rounds);
}

}  // namespace flaim
