#include "runtime/transport/link/retry_schedule.h"

#include <set>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim::runtime {
namespace {

using std::chrono::milliseconds;

TEST(RetrySchedule, WaitsBetweenHalfAndAllOfABoundThatDoublesUpToTheLongest) {
  SeededRandomSource random(1);
  RetrySchedule schedule(milliseconds(100), milliseconds(1000), random);
  for (const int bound : {100, 200, 400, 800, 1000, 1000, 1000}) {
    const milliseconds time = schedule.Next();
    EXPECT_GE(time, milliseconds(bound / 2));
    EXPECT_LE(time, milliseconds(bound));
  }
}

TEST(RetrySchedule, BeginsAgainAfterAReset) {
  SeededRandomSource random(2);
  RetrySchedule schedule(milliseconds(100), milliseconds(100'000), random);
  for (int i = 0; i < 8; ++i) schedule.Next();
  schedule.Reset();
  EXPECT_LE(schedule.Next(), milliseconds(100));
}

TEST(RetrySchedule, DiffersFromSiteToSite) {
  SeededRandomSource random(3);
  std::set<milliseconds> times;
  for (int site = 0; site < 100; ++site) {
    times.insert(RetrySchedule(milliseconds(10'000), milliseconds(10'000), random).Next());
  }
  EXPECT_GT(times.size(), 50U);
}

TEST(RetrySchedule, NeverExceedsTheLongestEvenIfTheFirstDoes) {
  SeededRandomSource random(4);
  RetrySchedule schedule(milliseconds(500), milliseconds(100), random);
  for (int i = 0; i < 5; ++i) EXPECT_LE(schedule.Next(), milliseconds(100));
}

}  // namespace
}  // namespace flaim::runtime
