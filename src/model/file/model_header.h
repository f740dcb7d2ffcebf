#pragma once

#include <cstdint>
#include <optional>
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
  std::vector<Clique> cliques;     // of the model, in the order of its potentials
  std::optional<Bins> bins;        // that the cliques are over, of a model with levels
  FitReport report;                // its measurements have no values
  std::vector<bool> is_over_bins;  // for each of its measurements
};

// Of the newest version.
absl::StatusOr<std::string> FormatModelHeader(const Schema& schema, const FitReport& report, const Model& model);

// Strict: unknown, missing and repeated keys are errors, and so are cliques outside the domain, a domain that is not
// the schema's, variances that are not positive, and a report that keeps silent about a schema derived from private
// rows. Messages do not name the file. The version is the envelope's; the first one knew no levels.
absl::StatusOr<ModelHeader> ParseModelHeader(std::string_view text, std::uint32_t version);

}  // namespace flaim
