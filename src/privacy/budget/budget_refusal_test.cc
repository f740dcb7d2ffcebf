#include "privacy/budget/budget_refusal.h"

#include "absl/status/statusor.h"
#include "base/status.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

absl::StatusOr<int> Spend() { return BudgetRefused("only {} is left", 0.25); }

absl::Status PassOn() {
  ASSIGN_OR_RETURN([[maybe_unused]] const int value, Spend());
  return absl::OkStatus();
}

TEST(BudgetRefusal, IsToldApartFromADiskThatIsFull) {
  EXPECT_TRUE(IsBudgetRefusal(BudgetRefused("no")));
  EXPECT_FALSE(IsBudgetRefusal(ResourceExhausted("disk full")));
  EXPECT_FALSE(IsBudgetRefusal(absl::OkStatus()));
}

TEST(BudgetRefusal, KeepsCodeMessageAndMarkWhenPassedOn) {
  const absl::Status status = PassOn();
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_EQ(status.message(), "only 0.25 is left");
  EXPECT_TRUE(IsBudgetRefusal(status));
}

}  // namespace
}  // namespace flaim
