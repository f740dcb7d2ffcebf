#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"
#include "marginal/clique.h"
#include "model/estimation/fit_report.h"
#include "model/inference/model.h"

namespace flaim {

// All of a model file that is not a long list of numbers; in the file it is JSON (docs/MODEL_FILE.md).
struct ModelHeader {
  Schema schema;
  double total;
  std::vector<Clique> cliques;  // of the model, in the order of its potentials
  FitReport report;             // its measurements have no values
};

absl::StatusOr<std::string> FormatModelHeader(const Schema& schema, const FitReport& report, const Model& model);

// Strict: unknown, missing and repeated keys are errors, and so are cliques outside the domain, a domain that is not
// the schema's, variances that are not positive, and a report that keeps silent about a schema derived from private
// rows. Messages do not name the file.
absl::StatusOr<ModelHeader> ParseModelHeader(std::string_view text);

}  // namespace flaim
