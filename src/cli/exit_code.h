#pragma once

#include <string>

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
  kNotPrivate = 6,     // a ledger holds releases whose noise came from a seed: what it says is no promise
  kInterrupted = 130,  // by Ctrl-C or another request to stop
};

// An error for what is sound and still protects nobody, because noise came from a seed; carries a mark.
absl::Status NotPrivate(const std::string& message);
bool IsNotPrivate(const absl::Status& status);

ExitCode ExitCodeFor(const absl::Status& status);

}  // namespace flaim
