#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/aim/budget_schedule.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/random_source.h"
#include "data/table.h"
#include "marginal/completion.h"
#include "marginal/private_rows.h"
#include "marginal/workload.h"
#include "model/estimation.h"
#include "privacy/ledger.h"

namespace flaim {

struct AimOptions {
  PrivacyBudget budget;
  RoundPlan rounds = Annealed{};
  WeightBase weights = WeightBase::kOriginals;
  // The junction tree may have this many cells. Larger models are slower and, on the tables measured, hardly better:
  // docs/BENCHMARKS.md. The paper has 10 Mi cells, of which a share may be used that grows with the budget spent.
  static constexpr std::int64_t kDefaultModelCells = std::int64_t{1} << 17;
  std::int64_t max_model_cells = kDefaultModelCells;
  bool model_grows_with_budget = false;
  // Counts of candidates that are kept in memory between rounds.
  std::int64_t max_kept_cells = std::int64_t{1} << 26;
  std::vector<StructuralZeros> zeros = {};
  // Of the noise that measuring a marginal is expected to add: what its score is lowered by, and what it must have
  // moved the model by for the next round to stay at this level of noise. The paper has 1 for both.
  double noise_penalty = 0.6;
  double improvement_threshold = 0.5;
  // The true distance to the optimum is some hundred times smaller than the certified one on the models measured.
  EstimationOptions round_fit = {.max_iterations = 1000, .relative_gap = 0.5};
  EstimationOptions last_fit = {.max_iterations = 1500, .relative_gap = 0.05};
  double confidence = 0.95;  // of each error bound
  // Names the releases in the ledger: a run that is repeated under its name gets its recorded values back, pays
  // nothing, and gives the same model.
  std::string run = "aim";
};

// The same as McKenna et al. 2022 and the FLAIM paper run it: their constants, mirror descent with 50 iterations a
// round and 500 at the end. For comparisons.
AimOptions PaperAimOptions(const PrivacyBudget& budget);

struct FittedModel {
  Model model;
  FitReport report;
};

// What a run needs from outside.
struct AimResources {
  Ledger& ledger;
  RandomSource& noise;
  Parallel& parallel;
  ProgressSink& progress;
};

// AIM (McKenna et al. 2022; Algorithm 2 of the FLAIM paper) on one private table: select the marginal that the model
// approximates worst, measure it with noise, fit the model again, until the budget is spent.
//
// Promise: everything that depends on the rows is released through the ledger, at a total cost of at most the zCDP that
// options.budget affords; neighbours differ by one record. The number of rows is not used: it is estimated from the
// noisy one-way marginals. Refuses, before anything is paid, a budget that the ledger cannot cover and a domain whose
// one-way marginals do not fit the model.
//
// Cancelled, between two rounds, when the progress sink asks for it: what was paid for is on record, and the same run
// goes on from there.
absl::StatusOr<FittedModel> RunAim(const AimOptions& options, const std::shared_ptr<PrivateRows>& source,
                                   const Workload& workload, const AimResources& resources);
inline absl::StatusOr<FittedModel> RunAim(const AimOptions& options, const Table& table, const Workload& workload,
                                          const AimResources& resources) {
  return RunAim(options, std::make_shared<TableRows>(table), workload, resources);
}

}  // namespace flaim
