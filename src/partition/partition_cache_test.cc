#include "partition/partition_cache.h"

#include <sodium.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/seeded_random_source.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "partition/partition_file.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;

const Partition kPartition{.client_of_row = {2, 0, 1, 2}, .clients = 3, .ids = {-5, 3, 8}};

std::string FreshFolder(const std::string& name) {
  const std::string folder = testing::TempDir() + "partition_cache_test_" + name;
  fs::remove_all(folder);
  return folder + "/below";
}

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PartitionFile, GivesBackWhatWasWritten) {
  for (const Partition& partition : {kPartition, Partition{.client_of_row = {}, .clients = 1}}) {
    EXPECT_EQ(PartitionFromBytes("key", PartitionToBytes("key", partition)).value(), partition);
  }
}

TEST(PartitionFile, RefusesEveryDamagedByteAndEveryCut) {
  const std::string bytes = PartitionToBytes("key", kPartition);
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 4);
    EXPECT_EQ(PartitionFromBytes("key", damaged).status().code(), absl::StatusCode::kDataLoss) << place;
    EXPECT_EQ(PartitionFromBytes("key", bytes.substr(0, place)).status().code(), absl::StatusCode::kDataLoss) << place;
  }
  EXPECT_FALSE(PartitionFromBytes("key", bytes + "x").ok());
}

// Whatever the counts in a file say, reading it neither crashes nor gives a partition that breaks its promises.
TEST(PartitionFile, IsCheckedBeyondItsChecksum) {
  constexpr std::size_t kChecksumBytes = 32;
  const std::string bytes = PartitionToBytes("key", kPartition);
  SeededRandomSource random(1);
  int refused = 0;
  for (int attempt = 0; attempt < 20'000; ++attempt) {
    std::string changed = bytes.substr(0, bytes.size() - random.NextBelow(2) * random.NextBelow(20));
    const std::size_t body = changed.size() - kChecksumBytes;
    changed[random.NextBelow(body)] = static_cast<char>(random.NextBelow(256));
    auto* data = reinterpret_cast<unsigned char*>(changed.data());
    ASSERT_EQ(crypto_generichash(data + body, kChecksumBytes, data, body, nullptr, 0), 0);
    const absl::StatusOr<Partition> read = PartitionFromBytes("key", changed);
    if (!read.ok()) {
      ++refused;
      continue;
    }
    EXPECT_EQ(PartitionToBytes("key", *read), changed);
    EXPECT_THAT(read->client_of_row, testing::Each(testing::Lt(read->clients)));
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 20'000);
}

TEST(PartitionFile, IsOfOneKey) { EXPECT_FALSE(PartitionFromBytes("other", PartitionToBytes("key", kPartition)).ok()); }

TEST(PartitionCache, KeepsAPartitionForItsKey) {
  const PartitionCache cache(FreshFolder("keeps"));
  EXPECT_EQ(cache.Load("key").status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(cache.Store("key", kPartition).ok());
  EXPECT_EQ(cache.Load("key").value(), kPartition);
  EXPECT_EQ(cache.Load("other").status().code(), absl::StatusCode::kNotFound);
}

TEST(PartitionCache, MakesAPartitionOnceAndADamagedOneAgain) {
  const PartitionCache cache(FreshFolder("makes"));
  int made = 0;
  const auto make = [&]() -> absl::StatusOr<Partition> {
    ++made;
    return kPartition;
  };
  for (int time = 0; time < 3; ++time) EXPECT_EQ(cache.LoadOrMake("key", 4, make).value(), kPartition);
  EXPECT_EQ(made, 1);
  const std::string whole = BytesOf(cache.PathOf("key"));
  for (const std::string& content : {std::string(), std::string("nonsense"), whole.substr(0, whole.size() - 1)}) {
    std::ofstream(cache.PathOf("key"), std::ios::binary) << content;
    made = 0;
    EXPECT_EQ(cache.LoadOrMake("key", 4, make).value(), kPartition);
    EXPECT_EQ(made, 1);
    EXPECT_EQ(BytesOf(cache.PathOf("key")), whole);
  }
  EXPECT_EQ(cache.LoadOrMake("key", 5, make).value(), kPartition);
  EXPECT_EQ(made, 2) << "a partition of another number of rows was trusted";
}

TEST(PartitionCache, PassesOnWhyAPartitionCannotBeMadeAndKeepsNothing) {
  const PartitionCache cache(FreshFolder("fails"));
  EXPECT_EQ(cache.LoadOrMake("key", 4, [] { return NotFound("no such column"); }).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_FALSE(fs::exists(cache.PathOf("key")));
}

TEST(PartitionCache, StillMakesPartitionsWhereItCannotKeepThem) {
  const std::string folder = FreshFolder("file");
  fs::create_directories(fs::path(folder).parent_path());
  std::ofstream(folder) << "a file, not a folder";
  const PartitionCache cache(folder);
  EXPECT_FALSE(cache.Store("key", kPartition).ok());
  EXPECT_EQ(cache.LoadOrMake("key", 4, [] { return kPartition; }).value(), kPartition);
}

TEST(PartitionCache, ServesManyWhoMakeTheSameAtOnce) {
  const PartitionCache cache(FreshFolder("many"));
  Partition large{.client_of_row = std::vector<std::uint32_t>(20'000, 1), .clients = 2};
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (std::size_t thread = 0; thread < right.size(); ++thread) {
    threads.emplace_back([&, thread] {
      for (int time = 0; time < 10; ++time) {
        if (time % 3 == 0 && !cache.Store("key", large).ok()) continue;
        right[thread] += cache.LoadOrMake("key", 20'000, [&] { return large; }).value() == large ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(right, testing::Each(10));
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(cache.PathOf("key")).parent_path()), {}), 1);
}

TEST(PartitionKey, NamesEverythingThatDecides) {
  const std::string key = PartitionKey("data 1", ClustersSpec{100}, 7);
  EXPECT_NE(PartitionKey("data 2", ClustersSpec{100}, 7), key);
  EXPECT_NE(PartitionKey("data 1", ClustersSpec{10}, 7), key);
  EXPECT_NE(PartitionKey("data 1", IidSpec{100}, 7), key);
  EXPECT_NE(PartitionKey("data 1", ClustersSpec{100}, 8), key);
  EXPECT_EQ(PartitionKey("data 1", ClustersSpec{100}, 7), key);
}

}  // namespace
}  // namespace flaim
