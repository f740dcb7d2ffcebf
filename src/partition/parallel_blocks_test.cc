#include "partition/parallel_blocks.h"

#include <atomic>
#include <vector>

#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(ForEachInBlocks, VisitsEachIndexOnceWhateverTheBlocksAndThreads) {
  for (const int threads : {1, 3}) {
    Parallel parallel(threads);
    for (const std::size_t count : {0, 1, 7, 8, 9, 100}) {
      for (const std::size_t block : {1, 8, 1000}) {
        std::vector<std::atomic<int>> visits(count);
        ForEachInBlocks(count, block, parallel, [&](std::size_t index, int thread) {
          ++visits.at(index);
          EXPECT_TRUE(thread >= 0 && thread < threads);
        });
        for (const std::atomic<int>& visit : visits) EXPECT_EQ(visit, 1) << count << " in blocks of " << block;
      }
    }
  }
}

TEST(ForEachInBlocks, DoesABlockInAscendingOrderByOneThread) {
  constexpr std::size_t kBlock = 16;
  constexpr std::size_t kBlocks = 50;
  Parallel parallel(3);
  std::vector<std::vector<std::size_t>> indices_of(kBlocks);
  std::vector<int> thread_of(kBlocks, -1);
  ForEachInBlocks(kBlock * kBlocks, kBlock, parallel, [&](std::size_t index, int thread) {
    const std::size_t block = index / kBlock;
    if (indices_of[block].empty()) thread_of[block] = thread;
    EXPECT_EQ(thread_of[block], thread);
    indices_of[block].push_back(index);
  });
  for (std::size_t block = 0; block < kBlocks; ++block) {
    ASSERT_EQ(indices_of[block].size(), kBlock);
    for (std::size_t place = 0; place < kBlock; ++place) EXPECT_EQ(indices_of[block][place], block * kBlock + place);
  }
}

}  // namespace
}  // namespace flaim
