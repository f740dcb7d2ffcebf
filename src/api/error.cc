#include "api/error.h"

#include "privacy/budget/budget_refusal.h"

namespace flaim::api {
namespace {

ErrorKind KindOf(const absl::Status& status) {
  if (IsBudgetRefusal(status)) return ErrorKind::kBudget;
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
      return ErrorKind::kRefused;
    case absl::StatusCode::kDataLoss:
      return ErrorKind::kDamaged;
    case absl::StatusCode::kCancelled:
      return ErrorKind::kInterrupted;
    default:
      return ErrorKind::kFailed;
  }
}

}  // namespace

Error ErrorOf(const absl::Status& status) { return {KindOf(status), std::string(status.message())}; }

}  // namespace flaim::api
