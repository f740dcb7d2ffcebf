#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "secagg/hostile/fault_schedule_testing.h"

namespace flaim::secagg {
namespace {

using ::testing::IsEmpty;

TEST(FaultSchedules, NeverGiveAWrongSumOrAnUnmaskedContribution) {
  const ScheduleCounts counts = PlaySchedules(1, 250, Protocol::kSecure);
  EXPECT_THAT(counts.violations, IsEmpty());
  EXPECT_GT(counts.sums, 50);
  EXPECT_GT(counts.sums_of_some, 10);
  EXPECT_GT(counts.aborts, 50);
}

TEST(FaultSchedules, NeverGiveAWrongSumInTheClear) {
  const ScheduleCounts counts = PlaySchedules(1, 1000, Protocol::kClear);
  EXPECT_THAT(counts.violations, IsEmpty());
  EXPECT_GT(counts.sums, 200);
  EXPECT_GT(counts.sums_of_some, 50);
  EXPECT_GT(counts.aborts, 200);
}

TEST(FaultSchedules, AreTheSameForTheSameSeed) {
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    const StudyOptions options = StudyOfSchedule(seed, Protocol::kSecure);
    const ScheduleResult first = PlaySchedule(options);
    const ScheduleResult second = PlaySchedule(options);
    EXPECT_EQ(first.has_sum, second.has_sum);
    EXPECT_EQ(first.contributors, second.contributors);
  }
}

}  // namespace
}  // namespace flaim::secagg
