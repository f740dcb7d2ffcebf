#pragma once

#include "absl/status/status.h"

namespace flaim {

// What the program's exit status says to a script. Documented in docs/COMMANDS.md and `flaim --help`.
enum class ExitCode : int {
  kSuccess = 0,
  kFailure = 1,        // a file could not be read or written, disk or memory did not suffice, or anything not listed
  kUsage = 2,          // wrong flags or arguments
  kInputRefused = 3,   // the data, the schema or the workload is not acceptable; the message says where
  kBudgetRefused = 4,  // the privacy budget does not allow it
  kTampered = 5,       // a ledger, a model or another checksummed file is damaged or was altered
  kInterrupted = 130,  // by Ctrl-C or another request to stop
};

ExitCode ExitCodeFor(const absl::Status& status);

}  // namespace flaim
