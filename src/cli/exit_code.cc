#include "cli/exit_code.h"

namespace flaim {

ExitCode ExitCodeFor(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kSuccess;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
      return ExitCode::kInputRefused;
    case absl::StatusCode::kResourceExhausted:
      return ExitCode::kBudgetRefused;
    case absl::StatusCode::kDataLoss:
      return ExitCode::kTampered;
    default:
      return ExitCode::kFailure;
  }
}

}  // namespace flaim
