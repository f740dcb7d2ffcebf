#include "cli/exit_code.h"

#include "absl/strings/cord.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {
namespace {

constexpr const char* kNotPrivateMark = "flaim/not-private";

}  // namespace

absl::Status NotPrivate(const std::string& message) {
  absl::Status status = absl::FailedPreconditionError(message);
  status.SetPayload(kNotPrivateMark, absl::Cord());
  return status;
}

bool IsNotPrivate(const absl::Status& status) { return status.GetPayload(kNotPrivateMark).has_value(); }

ExitCode ExitCodeFor(const absl::Status& status) {
  if (IsBudgetRefusal(status)) return ExitCode::kBudgetRefused;
  if (IsNotPrivate(status)) return ExitCode::kNotPrivate;
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
