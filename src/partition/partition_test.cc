#include "partition/partition.h"

#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "base/seeded_random_source.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::size_t> SizesOf(const Partition& partition) {
  std::vector<std::size_t> sizes(partition.clients);
  for (const std::uint32_t client : partition.client_of_row) ++sizes.at(client);
  return sizes;
}

TEST(PartitionIid, GivesEveryClientAsManyRowsAsTheOthersGiveOrTakeOne) {
  SeededRandomSource random(1);
  for (const std::size_t rows : {0U, 1U, 7U, 100U, 101U, 1234U}) {
    for (const std::size_t clients : {1U, 2U, 7U, 100U, 2000U}) {
      const Partition partition = PartitionIid(rows, clients, random);
      EXPECT_EQ(partition.client_of_row.size(), rows);
      EXPECT_EQ(partition.clients, clients);
      EXPECT_THAT(partition.ids, IsEmpty());
      const std::vector<std::size_t> sizes = SizesOf(partition);
      for (std::size_t client = 0; client < clients; ++client) {
        EXPECT_EQ(sizes[client], rows / clients + (client < rows % clients ? 1 : 0));
      }
    }
  }
}

// Six rows for three clients can be dealt in 6! / (2! 2! 2!) = 90 ways. With 45,000 draws chi-squared has 89 degrees of
// freedom; it exceeds 194 with probability below 1e-9.
TEST(PartitionIid, MakesEveryWayOfDealingEquallyLikely) {
  constexpr int kDraws = 45000;
  constexpr double kWays = 90;
  SeededRandomSource random(2);
  std::map<std::vector<std::uint32_t>, int> draws_of;
  for (int draw = 0; draw < kDraws; ++draw) ++draws_of[PartitionIid(6, 3, random).client_of_row];
  EXPECT_EQ(draws_of.size(), kWays);
  double chi_squared = 0;
  for (const auto& [dealing, draws] : draws_of) {
    const double difference = draws - kDraws / kWays;
    chi_squared += difference * difference / (kDraws / kWays);
  }
  EXPECT_LT(chi_squared, 194);
}

TEST(PartitionIid, RepeatsItselfForTheSameSeedOnly) {
  SeededRandomSource first(3);
  SeededRandomSource again(3);
  SeededRandomSource other(4);
  const Partition partition = PartitionIid(1000, 10, first);
  EXPECT_EQ(PartitionIid(1000, 10, again), partition);
  EXPECT_NE(PartitionIid(1000, 10, other), partition);
}

TEST(PartitionIidDeathTest, NeedsAClient) {
  SeededRandomSource random(1);
  EXPECT_DEATH(PartitionIid(5, 0, random), "clients");
}

TEST(PartitionByNumbers, NumbersTheClientsInTheOrderOfTheirIds) {
  const std::vector<std::int64_t> ids = {7, 3, 7, -1};
  const Partition partition = PartitionByNumbers(ids).value();
  EXPECT_EQ(partition.clients, 3U);
  EXPECT_THAT(partition.client_of_row, ElementsAre(2, 1, 2, 0));
  EXPECT_THAT(partition.ids, ElementsAre(-1, 3, 7));
}

TEST(PartitionByNumbers, KeepsTheIdOfEveryRowAndLeavesNoClientEmpty) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    SeededRandomSource random(seed);
    std::vector<std::int64_t> ids;
    const std::size_t rows = 1 + random.NextBelow(200);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto id = static_cast<std::int64_t>(random.NextBelow(50));
      ids.push_back(id == 0 ? kLowest : id == 1 ? kHighest : id * 1000 - 20000);
    }
    const Partition partition = PartitionByNumbers(ids).value();
    EXPECT_EQ(partition.clients, std::set(ids.begin(), ids.end()).size());
    ASSERT_EQ(partition.ids.size(), partition.clients);
    ASSERT_EQ(partition.client_of_row.size(), rows);
    for (std::size_t row = 0; row < rows; ++row) EXPECT_EQ(partition.ids.at(partition.client_of_row[row]), ids[row]);
    for (std::size_t client = 1; client < partition.clients; ++client) {
      EXPECT_LT(partition.ids[client - 1], partition.ids[client]);
    }
  }
}

TEST(PartitionByNumbers, RefusesNoRows) {
  EXPECT_THAT(std::string(PartitionByNumbers({}).status().message()), HasSubstr("no rows"));
}

TEST(PartitionByNumbers, SplitsATableByTheColumnReadAlongside) {
  const std::string path = testing::TempDir() + "partition_test_clients.csv";
  {
    std::ofstream file(path);
    file << "color,client_id\n0,12\n1,4\n2,12\n";
  }
  const Schema schema = ParseSchema(R"({"color": 3})", "schema").value();
  const TableWithNumbers read = ReadTableWithNumbers(path, schema, "client_id").value();
  const Partition partition = PartitionByNumbers(read.numbers).value();
  const std::vector<Table> clients = read.table.SplitBy(partition.client_of_row, partition.clients);
  ASSERT_EQ(clients.size(), 2U);
  EXPECT_EQ(clients[0].rows(), 1U);
  EXPECT_EQ(clients[0].at(0, 0), 1U);
  EXPECT_EQ(clients[1].rows(), 2U);
  EXPECT_EQ(clients[1].at(1, 0), 2U);
}

}  // namespace
}  // namespace flaim
