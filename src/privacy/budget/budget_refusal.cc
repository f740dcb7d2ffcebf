#include "privacy/budget/budget_refusal.h"

#include "absl/strings/cord.h"

namespace flaim {
namespace {

constexpr const char* kMark = "flaim/privacy-budget";

}  // namespace

absl::Status MarkedAsBudgetRefusal(absl::Status status) {
  status.SetPayload(kMark, absl::Cord());
  return status;
}

bool IsBudgetRefusal(const absl::Status& status) { return status.GetPayload(kMark).has_value(); }

}  // namespace flaim
