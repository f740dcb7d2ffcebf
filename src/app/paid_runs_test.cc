#include "app/paid_runs_testing.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(PaidRuns, EndWithAModelOfAllThatTheyMeasuredWithinItsLimit) {
  const PaidRuns runs = RunAndPay(0, 60);
  EXPECT_GT(runs.ended, 40);
  EXPECT_GT(runs.measurements, 300);
}

}  // namespace
}  // namespace flaim
