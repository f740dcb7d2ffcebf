#include "cli/exit_code.h"

#include "privacy/budget/budget_refusal.h"

namespace flaim {

ExitCode ExitCodeFor(const absl::Status& status) {
  if (IsBudgetRefusal(status)) return ExitCode::kBudgetRefused;
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kSuccess;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
      return ExitCode::kInputRefused;
    case absl::StatusCode::kDataLoss:
      return ExitCode::kTampered;
    case absl::StatusCode::kCancelled:
      return ExitCode::kInterrupted;
    default:
      return ExitCode::kFailure;
  }
}

}  // namespace flaim
