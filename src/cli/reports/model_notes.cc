#include "cli/reports/model_notes.h"

#include "base/provenance.h"
#include "fmt/format.h"

namespace flaim {

void WarnIfNotPrivate(const FitReport& report, Console& console) {
  if (!IsSecureProvenance(report.noise)) {
    console.Warn(
        fmt::format("WARNING: the noise of this model is {}: whoever knows the seed can subtract it. Neither the "
                    "model nor rows drawn from it are private.",
                    report.noise));
  }
  if (report.derived_from_private_rows) {
    console.Warn(
        "WARNING: the schema of this model was derived from private rows. Neither the model nor rows drawn from it are "
        "private.");
  }
}

}  // namespace flaim
