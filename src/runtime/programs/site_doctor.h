#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "runtime/programs/site_folder.h"

namespace flaim::runtime {

// One thing the doctor looked at. Details are for the owner of the rows.
struct Finding {
  std::string what;
  absl::Status status = absl::OkStatus();
  std::string detail = {};
};

// Looks at everything a site needs to serve: approval, the steward's consent, certificate and clock, the way to the
// coordinator, the rows against the schema, and the budget. Goes on after a failure, as far as that makes sense.
std::vector<Finding> ExamineSite(const SiteFolder& folder, std::chrono::milliseconds timeout, const Clock& clock,
                                 ProgressSink& progress);

}  // namespace flaim::runtime
