#include "base/parallel.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::Each;

class ParallelTeam : public testing::TestWithParam<int> {};

TEST_P(ParallelTeam, RunsEachIndexExactlyOnce) {
  Parallel parallel(GetParam());
  ASSERT_EQ(parallel.threads(), GetParam());
  for (const std::size_t count : {0u, 1u, 2u, 3u, 7u, 1000u}) {
    std::vector<std::atomic<int>> runs(count);
    parallel.For(count, [&](std::size_t index, int) { ++runs[index]; });
    EXPECT_THAT(std::vector<int>(runs.begin(), runs.end()), Each(1)) << count;
  }
}

TEST_P(ParallelTeam, NamesAThreadOfTheTeamAndNeverTwoAtOnceByOneName) {
  Parallel parallel(GetParam());
  std::vector<std::atomic<bool>> busy(static_cast<std::size_t>(GetParam()));
  std::atomic<int> clashes = 0;
  parallel.For(2000, [&](std::size_t, int thread) {
    if (thread < 0 || thread >= GetParam() || busy[static_cast<std::size_t>(thread)].exchange(true)) {
      ++clashes;
      return;
    }
    busy[static_cast<std::size_t>(thread)] = false;
  });
  EXPECT_EQ(clashes, 0);
}

TEST_P(ParallelTeam, IsReusedByManyLoopsAndShowsTheirResultsToTheCaller) {
  Parallel parallel(GetParam());
  std::vector<std::size_t> plain(64, 0);
  for (std::size_t loop = 1; loop <= 500; ++loop) {
    parallel.For(plain.size(), [&](std::size_t index, int) { plain[index] += index; });
    ASSERT_EQ(plain.back(), loop * (plain.size() - 1));
  }
}

TEST_P(ParallelTeam, StopsSoonAfterItIsAskedToAndSaysSo) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> is_stopping = false;
  std::atomic<bool> asked_elsewhere = false;
  Parallel parallel(GetParam(), [&] {
    if (std::this_thread::get_id() != caller) asked_elsewhere = true;
    return is_stopping.load();
  });
  EXPECT_TRUE(parallel.StopIfAsked().ok());
  std::atomic<int> runs = 0;
  EXPECT_TRUE(parallel.ForUnlessStopped(100, [&](std::size_t, int) { ++runs; }).ok());
  EXPECT_EQ(runs, 100);

  const auto slow_body = [&](std::size_t, int) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (++runs == 200) is_stopping = true;
  };
  EXPECT_TRUE(absl::IsCancelled(parallel.ForUnlessStopped(1'000'000, slow_body)));
  EXPECT_LT(runs, 100'000);
  is_stopping = false;
  EXPECT_TRUE(absl::IsCancelled(parallel.StopIfAsked())) << "once and for all";
  EXPECT_FALSE(asked_elsewhere);
}

// The work that a caller cannot leave half done is done whole.
TEST_P(ParallelTeam, FinishesAPlainLoopThoughAskedToStop) {
  Parallel parallel(GetParam(), [] { return true; });
  EXPECT_TRUE(absl::IsCancelled(parallel.StopIfAsked()));
  std::atomic<int> runs = 0;
  parallel.For(100, [&](std::size_t, int) { ++runs; });
  EXPECT_EQ(runs, 100);
}

INSTANTIATE_TEST_SUITE_P(OfOneToFour, ParallelTeam, testing::Range(1, 5));

TEST(Parallel, UsesTheWholeTeam) {
  Parallel parallel(3);
  std::mutex mutex;
  std::condition_variable all_here;
  std::set<std::thread::id> threads;
  parallel.For(3, [&](std::size_t, int) {
    std::unique_lock lock(mutex);
    threads.insert(std::this_thread::get_id());
    all_here.notify_all();
    all_here.wait(lock, [&] { return threads.size() == 3; });
  });
  EXPECT_EQ(threads.size(), 3u);
}

TEST(Parallel, OfOneThreadRunsInTheCallerInOrder) {
  Parallel parallel(1);
  std::vector<std::size_t> order;
  parallel.For(4, [&](std::size_t index, int thread) {
    EXPECT_EQ(thread, 0);
    order.push_back(index);
  });
  EXPECT_THAT(order, testing::ElementsAre(0, 1, 2, 3));
}

TEST(Parallel, KnowsAtLeastOneHardwareThread) { EXPECT_GE(Parallel::HardwareThreads(), 1); }

TEST(ParallelDeathTest, NeedsAThread) { EXPECT_DEATH(Parallel(0), "threads >= 1"); }

TEST(ParallelDeathTest, RefusesALoopInsideALoop) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        Parallel parallel(2);
        parallel.For(2, [&](std::size_t, int) { parallel.For(2, [](std::size_t, int) {}); });
      },
      "inside a loop or by two threads");
}

}  // namespace
}  // namespace flaim
