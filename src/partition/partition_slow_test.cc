#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "partition/partition.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

TEST(PartitionByNumbers, TakesAsManyClientsAsTheLimitAndNotOneMore) {
  std::vector<std::int64_t> ids(kMaxClients + 1);
  for (std::size_t row = 0; row < ids.size(); ++row) ids[row] = static_cast<std::int64_t>(row);
  EXPECT_THAT(std::string(PartitionByNumbers(ids).status().message()), HasSubstr("10000000"));
  ids.back() = 0;
  EXPECT_EQ(PartitionByNumbers(ids)->clients, kMaxClients);
}

}  // namespace
}  // namespace flaim
