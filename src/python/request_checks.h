#pragma once

#include "absl/status/status.h"
#include "algorithms/federated/federated_plan.h"

namespace flaim::python {

// Refuses names that are none and numbers beyond reason: what the command line's flags refuse before a request is made.
absl::Status CheckRequest(const FederatedRequest& request);

}  // namespace flaim::python
