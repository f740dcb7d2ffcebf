#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/aim/budget_schedule.h"
#include "cli/console.h"
#include "cli/memory_limit.h"
#include "data/schema.h"
#include "marginal/workload.h"
#include "model/estimation.h"
#include "privacy/budget.h"

namespace CLI {
class App;
}

namespace flaim {

// The flags that `fit` and `plan` share: everything public that decides what a run does.
struct FitFlags {
  std::string schema;
  double epsilon = 0;
  double delta = 1e-6;
  std::string workload;
  std::optional<int> rounds;
  std::string memory = "2G";
  std::optional<std::int64_t> model_cells;
  std::string zeros;
};

void AddFitFlags(CLI::App& command, FitFlags& flags);
// Those of them that `simulate` has too: all but --rounds and --zeros.
void AddModelFlags(CLI::App& command, FitFlags& flags);

// What they say, checked. Nothing here has seen a row.
struct FitSettings {
  Schema schema;
  PrivacyBudget budget;
  Workload workload;
  std::string workload_text;  // as the user gave it, or the default that was taken
  RoundPlan rounds;
  MemoryLimit memory;
  std::int64_t max_model_cells;
  std::vector<StructuralZeros> zeros;
};

// Refuses, beside what cannot be read, a domain whose one-way marginals, or a workload whose pairs, do not fit the
// model, and zeros that leave no record.
absl::StatusOr<FitSettings> MakeFitSettings(const FitFlags& flags);

// A name for the run of these settings: repeating a command resumes its run, and a changed command is another run.
std::string RunNameOf(const FitSettings& settings, std::optional<std::uint64_t> seed);

// The queries of the workload that no model of that many cells can hold, however it is built.
std::vector<Clique> QueriesTooLarge(const FitSettings& settings);
// The columns that are in no query: of these, only the one-way marginal is learnt.
std::vector<std::string> ColumnsNotAsked(const FitSettings& settings);

// Says what a user would want to know of the settings before anything is spent.
void ExplainSettings(const FitSettings& settings, Console& console);

}  // namespace flaim
