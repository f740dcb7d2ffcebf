#include "base/status.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"

namespace flaim {
namespace {

absl::StatusOr<int> ParsePositive(int value) {
  if (value <= 0) return InvalidArgument("{} is not positive", value);
  return value;
}

absl::StatusOr<int> SumOfPositives(int first, int second, int* reached) {
  ASSIGN_OR_RETURN(const int left, ParsePositive(first));
  ++*reached;
  int right = 0;
  ASSIGN_OR_RETURN(right, ParsePositive(second));
  ++*reached;
  return left + right;
}

absl::Status RequirePositive(int value, bool* passed) {
  RETURN_IF_ERROR(ParsePositive(value).status());
  *passed = true;
  return absl::OkStatus();
}

TEST(AssignOrReturn, GivesTheValueWhenThereIsOne) {
  int reached = 0;
  const absl::StatusOr<int> sum = SumOfPositives(2, 3, &reached);
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(*sum, 5);
  EXPECT_EQ(reached, 2);
}

TEST(AssignOrReturn, ReturnsTheFirstFailureAndStops) {
  int reached = 0;
  EXPECT_EQ(SumOfPositives(-1, -2, &reached).status(), absl::InvalidArgumentError("-1 is not positive"));
  EXPECT_EQ(reached, 0);
  EXPECT_EQ(SumOfPositives(1, -2, &reached).status(), absl::InvalidArgumentError("-2 is not positive"));
  EXPECT_EQ(reached, 1);
}

TEST(AssignOrReturn, MovesAValueThatCannotBeCopied) {
  const auto take = []() -> absl::StatusOr<std::unique_ptr<int>> {
    ASSIGN_OR_RETURN(std::unique_ptr<int> owned, absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(7)));
    return owned;
  };
  EXPECT_EQ(**take(), 7);
}

TEST(ReturnIfError, PassesAFailureOnAndLetsSuccessThrough) {
  bool passed = false;
  EXPECT_EQ(RequirePositive(0, &passed), absl::InvalidArgumentError("0 is not positive"));
  EXPECT_FALSE(passed);
  EXPECT_TRUE(RequirePositive(1, &passed).ok());
  EXPECT_TRUE(passed);
}

TEST(StatusMakers, FormatTheMessageUnderTheCodeOfTheirName) {
  EXPECT_EQ(InvalidArgument("a {}", 1), absl::InvalidArgumentError("a 1"));
  EXPECT_EQ(NotFound("b {}", "x"), absl::NotFoundError("b x"));
  EXPECT_EQ(FailedPrecondition("c"), absl::FailedPreconditionError("c"));
  EXPECT_EQ(ResourceExhausted("d {}", 2.5), absl::ResourceExhaustedError("d 2.5"));
  EXPECT_EQ(DataLoss("e"), absl::DataLossError("e"));
  EXPECT_EQ(Unavailable("f"), absl::UnavailableError("f"));
}

}  // namespace
}  // namespace flaim
