#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "audit/audit.h"
#include "audit/canary.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "data/schema/schema.h"
#include "model/inference/model.h"
#include "privacy/budget/budget.h"

namespace flaim {

// The audit of somebody who has nothing but published model files: many that were fitted with a record, and many
// without it. Needs no trust in this program's account of its own noise, and finds less: a model is a summary of what
// was released.

// How many records a model expects in the cells of this record, added up over all columns and pairs of columns.
// REQUIRES: one code for each column of the model.
double RecordScore(const Model& model, std::span<const std::uint32_t> record);

// The scores of all model files of a folder, in the order of their names. An error if there are fewer than 4, or one
// has another schema than the first. Cancelled when the observer asks for it.
absl::StatusOr<std::vector<double>> ScoreModels(const std::string& folder, std::span<const std::uint32_t> record,
                                                Parallel& parallel, ProgressSink& progress);

// The schema of the first model file of a folder.
absl::StatusOr<Schema> SchemaOfModels(const std::string& folder, Parallel& parallel);

// Thresholds are chosen on every other score of each side, and tested on those in between, so that choosing costs
// nothing but runs. REQUIRES: at least 4 scores on each side.
AuditResult JudgeModels(const std::string& method, const std::string& canary, const Claim& claim,
                        const std::vector<double>& with, const std::vector<double>& without);

// Fits AIM to a canary's tables and writes the models into two folders, which must exist.
struct ModelFolders {
  std::string with;
  std::string without;
};
absl::Status FitModels(const Canary& canary, const PrivacyBudget& budget, const AuditSettings& settings,
                       const ModelFolders& folders, Parallel& parallel, ProgressSink& progress);

}  // namespace flaim
