#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "secagg/hostile/fault_schedule_testing.h"

namespace flaim::secagg {
namespace {

using ::testing::IsEmpty;

void Report(const ScheduleCounts& counts) {
  testing::Test::RecordProperty("sums", counts.sums);
  testing::Test::RecordProperty("sums_of_some", counts.sums_of_some);
  testing::Test::RecordProperty("aborts", counts.aborts);
  std::cout << counts.sums << " sums (" << counts.sums_of_some << " without somebody), " << counts.aborts
            << " aborts\n";
}

TEST(ManyFaultSchedules, NeverGiveAWrongSumOrAnUnmaskedContribution) {
  const ScheduleCounts counts = PlaySchedules(100'000, 10'000, Protocol::kSecure);
  Report(counts);
  EXPECT_THAT(counts.violations, IsEmpty());
  EXPECT_GT(counts.sums, 2000);
  EXPECT_GT(counts.sums_of_some, 500);
  EXPECT_GT(counts.aborts, 2000);
}

TEST(ManyFaultSchedules, NeverGiveAWrongSumInTheClear) {
  const ScheduleCounts counts = PlaySchedules(100'000, 10'000, Protocol::kClear);
  Report(counts);
  EXPECT_THAT(counts.violations, IsEmpty());
  EXPECT_GT(counts.sums, 2000);
  EXPECT_GT(counts.sums_of_some, 500);
  EXPECT_GT(counts.aborts, 2000);
}

}  // namespace
}  // namespace flaim::secagg
