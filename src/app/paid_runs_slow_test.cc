#include "app/paid_runs_testing.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(ManyPaidRuns, EndWithAModelOfAllThatTheyMeasuredWithinItsLimit) {
  const PaidRuns runs = RunAndPay(1'000'000, 2000);
  EXPECT_GT(runs.ended, 1500);
  EXPECT_GT(runs.measurements, 15'000);
}

}  // namespace
}  // namespace flaim
