#pragma once

#include <string>

#include "absl/status/status.h"
#include "algorithms/federated/federated_plan.h"

namespace flaim::python {

// Changes a choice by the name that Python has for it. Refuses a name that is none, with those there are, and a value
// that does not belong there.
absl::Status SetChoice(MethodChanges& changes, const std::string& name, const ChoiceValue& value);

// Refuses names that are none and numbers beyond reason: what the command line's flags refuse before a request is made.
absl::Status CheckRequest(const FederatedRequest& request);

}  // namespace flaim::python
