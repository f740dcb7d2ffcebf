#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "experiments/crew.h"

namespace flaim {
namespace {

std::vector<std::size_t> Jobs(std::size_t count) {
  std::vector<std::size_t> jobs(count);
  std::iota(jobs.begin(), jobs.end(), 0);
  return jobs;
}

TEST(ThreadCrew, DoesEachJobOnceAndCollectsWhatCameOut) {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> collected(100);
    const absl::Status status = ThreadCrew(threads)->Do(
        Jobs(100), [](std::size_t job) { return std::to_string(job * job); },
        [&](std::size_t job, const std::string& outcome) {
          EXPECT_EQ(outcome, std::to_string(job * job));
          ++collected[job];
          return absl::OkStatus();
        });
    EXPECT_TRUE(status.ok());
    EXPECT_EQ(collected, std::vector<int>(100, 1));
  }
}

TEST(ThreadCrew, StopsWhenResultsCannotBeKept) {
  std::atomic<int> done = 0;
  const absl::Status status = ThreadCrew(2)->Do(
      Jobs(1000), [&](std::size_t) { return ++done, std::string(); },
      [](std::size_t, const std::string&) { return absl::UnavailableError("the disk is full"); });
  EXPECT_EQ(status.message(), "the disk is full");
  EXPECT_LE(done, 4);
}

TEST(ThreadCrew, HasNothingToDoWithoutJobs) { EXPECT_TRUE(ThreadCrew(3)->Do({}, nullptr, nullptr).ok()); }

}  // namespace
}  // namespace flaim
