#include "algorithms/plan/run_plan.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

absl::Status Drafted(const RunRequest& request) {
  return DraftRunPlan(request, {.budget = PrivacyBudget::Create(1, 1e-6).value()}).status();
}

RunRequest Request() { return {.method = MethodChanges("naive-flaim"), .participation = {}, .availability = ""}; }

TEST(DraftRunPlan, TakesEveryRateAboveNoneUpToAll) {
  RunRequest request = Request();
  for (const double rate : {1e-9, 0.5, 1.0}) {
    request.participation = rate;
    EXPECT_TRUE(Drafted(request).ok()) << rate;
  }
  for (const double rate : {0.0, -0.1, 1.0 + 1e-9, std::numeric_limits<double>::quiet_NaN()}) {
    request.participation = rate;
    EXPECT_TRUE(absl::IsInvalidArgument(Drafted(request))) << rate;
    EXPECT_THAT(std::string(Drafted(request).message()), HasSubstr("participation")) << rate;
  }
}

TEST(DraftRunPlan, TakesEveryKindOfAvailabilityThereIs) {
  RunRequest request = Request();
  for (const char* kind : {"", "poisson", "turns", "all"}) {
    request.availability = kind;
    EXPECT_TRUE(Drafted(request).ok()) << kind;
  }
  request.availability = "sometimes";
  EXPECT_THAT(std::string(Drafted(request).message()), HasSubstr("availability: 'sometimes' is none of"));
}

TEST(DraftRunPlan, RefusesAMethodThatThereIsNot) {
  RunRequest request = Request();
  request.method.preset = "naive-flame";
  EXPECT_TRUE(absl::IsInvalidArgument(Drafted(request)));
  EXPECT_THAT(std::string(Drafted(request).message()), HasSubstr("Did you mean 'naive-flaim'"));
}

}  // namespace
}  // namespace flaim
