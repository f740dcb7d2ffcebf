#include "runtime/transport/stream/event_threads.h"

#include <atomic>
#include <memory>

#include "gtest/gtest.h"

namespace flaim::runtime {
namespace {

TEST(EventThreads, RunEverythingThatWasPostedBeforeTheyEnd) {
  std::atomic<int> ran = 0;
  {
    EventThreads threads(3);
    for (int i = 0; i < 1000; ++i) threads.Post([&] { ++ran; });
  }
  EXPECT_EQ(ran, 1000);
}

TEST(EventThreads, RunWhatTheTasksThemselvesPost) {
  std::atomic<int> ran = 0;
  {
    EventThreads threads(2);
    threads.Post([&] { threads.Post([&] { threads.Post([&] { ++ran; }); }); });
  }
  EXPECT_EQ(ran, 1);
}

TEST(Strand, RunsItsTasksInOrderAndNeverTwoAtOnceBesideOtherStrands) {
  constexpr int kStrands = 5;
  constexpr int kTasks = 400;
  std::vector<std::vector<int>> seen(kStrands);  // unguarded: a strand is guard enough
  std::vector<std::unique_ptr<Strand>> strands;
  {
    EventThreads threads(4);
    for (int s = 0; s < kStrands; ++s) strands.push_back(std::make_unique<Strand>(threads));
    for (int task = 0; task < kTasks; ++task) {
      for (int s = 0; s < kStrands; ++s) strands[s]->Post([&seen, s, task] { seen[s].push_back(task); });
    }
  }
  for (const std::vector<int>& tasks : seen) {
    ASSERT_EQ(tasks.size(), static_cast<std::size_t>(kTasks));
    for (int task = 0; task < kTasks; ++task) EXPECT_EQ(tasks[task], task);
  }
}

}  // namespace
}  // namespace flaim::runtime
