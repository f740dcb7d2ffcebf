#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/loop/run.h"
#include "algorithms/spending/spending.h"
#include "base/parallel.h"
#include "federation/noise_source.h"
#include "marginal/private_rows.h"
#include "marginal/workload.h"
#include "privacy/ledger/ledger.h"

namespace flaim {

// Where the rows of one table are, and who pays for what is said about them.
struct OneTableResources {
  std::shared_ptr<PrivateRows> rows;
  std::int64_t max_kept_cells = std::int64_t{1} << 26;  // of counts, in memory between rounds
  Ledger& ledger;
  NoiseSource& noise;
  Parallel& parallel;
};

// Whether the ledger has values of a run: what it released comes back then, and is not paid again.
bool KnowsRun(const Ledger& ledger, const std::string& run);

// BudgetRefused if the ledger has too little left for a run that has not begun. One that has begun may always go on: it
// ends with what is left.
absl::Status CheckLedgerCovers(Rho allowance, const std::string& run, const Ledger& ledger);

// Runs a method on one private table, paid for in its ledger. Refuses, before anything is paid, an allowance that the
// ledger cannot cover. A run that a crash or a full disk has interrupted is finished by running it again, also where
// others have spent the rest of the ledger meanwhile.
absl::StatusOr<FittedModel> RunOnOneTable(const Method& method, const RunOptions& options, const SpendingPlan& spending,
                                          const Workload& workload, const OneTableResources& resources,
                                          RoundSink& rounds);

}  // namespace flaim
