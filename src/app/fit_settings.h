#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/plan/run_plan.h"
#include "app/request/memory_limit.h"
#include "data/schema/schema.h"
#include "data/schema/unfit_rule.h"
#include "marginal/workload.h"
#include "model/estimation/estimation.h"
#include "privacy/budget/budget.h"

namespace flaim {

// Everything public that decides what a fit does, in the words of flags and of the Python package.
struct FitRequest {
  double epsilon = 0;
  double delta = 1e-6;
  std::string workload;  // if empty, what suits the domain
  RunRequest run;
  std::string memory = "2G";
  std::optional<std::int64_t> model_cells;
  std::string zeros;             // path of a file; empty for none
  std::string unfit = "refuse";  // what becomes of rows with values that do not fit: an UnfitRule's name
};

// What it says of the model, checked: all but the method, its budget and zeros. Nothing here has seen a row.
struct ModelSettings {
  Schema schema;
  Workload workload;
  std::string workload_text;  // as the user gave it, or the default that was taken
  MemoryLimit memory;
  std::int64_t max_model_cells;
  UnfitRule unfit = UnfitRule::kRefuse;
};

// All that it says.
struct FitSettings : ModelSettings {
  RunPlan plan;

  const PrivacyBudget& budget() const { return plan.options.budget; }
};

// Refuses, beside what cannot be read, a domain whose one-way marginals, or a workload whose pairs, do not fit the
// model, and a rule for unfit values that the schema has no codes for. `workload`, if there is one, takes the place of
// the request's text.
absl::StatusOr<ModelSettings> MakeModelSettings(const FitRequest& request, Schema schema,
                                                std::optional<Workload> workload = std::nullopt);
// Also refuses zeros that leave no record, choices that contradict each other, and a budget that cannot pay for a
// round.
absl::StatusOr<FitSettings> MakeFitSettings(const FitRequest& request, Schema schema,
                                            std::optional<Workload> workload = std::nullopt);
// The same for a fit of one table: also refuses methods that need clients, and choices that are not open to it. Without
// a word on it, the method is AIM.
absl::StatusOr<FitSettings> MakeOneTableSettings(FitRequest request, Schema schema,
                                                 std::optional<Workload> workload = std::nullopt);
// Whether a fit of one table leaves this choice open. Accounting it does not: it pays from a ledger, which counts in
// one way.
bool IsOpenToFits(const Choice& choice);

// A name for the run of these settings: repeating a command resumes its run, and a changed command is another run. Says
// nothing of memory and threads: with more of them, or on another machine, a run that was paid for is finished at no
// cost.
std::string RunNameOf(const FitSettings& settings, std::optional<std::uint64_t> seed);

// What the model's report says of the method, wherever it was run.
void StampMethod(const FitSettings& settings, FitReport& report);

// The queries of the workload that no model of that many cells can hold, however it is built.
std::vector<Clique> QueriesTooLarge(const FitSettings& settings);
// The columns that are in no query: of these, only the one-way marginal is learnt.
std::vector<std::string> ColumnsNotAsked(const FitSettings& settings);
// What a user would want to know of the settings before anything is spent, a line each. No warnings.
std::vector<std::string> NotesOn(const FitSettings& settings);

}  // namespace flaim
