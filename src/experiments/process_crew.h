#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "experiments/crew.h"

namespace flaim {

// MpiCrew() where the program is built with MPI.
absl::StatusOr<std::unique_ptr<Crew>> ProcessCrew();

}  // namespace flaim
