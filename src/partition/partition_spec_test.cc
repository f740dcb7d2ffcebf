#include "partition/partition_spec.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string ErrorFor(std::string_view text) {
  const absl::StatusOr<PartitionSpec> spec = ParsePartitionSpec(text);
  EXPECT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(spec.status().message());
}

TEST(PartitionSpec, ReadsRandomDealing) {
  EXPECT_EQ(ParsePartitionSpec("iid:100").value(), PartitionSpec(IidSpec{100}));
  EXPECT_EQ(ParsePartitionSpec("iid:1").value(), PartitionSpec(IidSpec{1}));
  EXPECT_EQ(ParsePartitionSpec("iid:10000000").value(), PartitionSpec(IidSpec{10'000'000}));
}

TEST(PartitionSpec, ReadsColumnNamesWithAnyCharacters) {
  EXPECT_EQ(ParsePartitionSpec("column:client_id").value(), PartitionSpec(ClientColumnSpec{"client_id"}));
  EXPECT_EQ(ParsePartitionSpec("column:ward:bed 2").value(), PartitionSpec(ClientColumnSpec{"ward:bed 2"}));
  EXPECT_EQ(ParsePartitionSpec("column:iid:5").value(), PartitionSpec(ClientColumnSpec{"iid:5"}));
}

TEST(PartitionSpec, RefusesWhatIsNoNumberOfClientsAndSaysWhatIs) {
  for (const std::string count : {"0", "-1", "x", "", " 5", "5 ", "5:2", "1.5", "10000001", "99999999999999999999"}) {
    EXPECT_THAT(ErrorFor("iid:" + count),
                AllOf(HasSubstr("'" + count + "'"), HasSubstr("from 1 to 10000000"), HasSubstr("iid:100")));
  }
  EXPECT_THAT(ErrorFor("iid"), HasSubstr("iid:100"));
}

TEST(PartitionSpec, RefusesAColumnWithoutAName) {
  for (const std::string_view text : {"column:", "column"}) {
    EXPECT_THAT(ErrorFor(text), HasSubstr("column:client_id"));
  }
}

TEST(PartitionSpec, NamesTheKindsThatExistForOneThatDoesNot) {
  for (const std::string_view text : {"", ":", "clients:5", "100", "IID:100", "iid :100", ":iid"}) {
    EXPECT_THAT(ErrorFor(text), AllOf(HasSubstr("iid:CLIENTS"), HasSubstr("column:NAME"))) << text;
  }
  EXPECT_THAT(ErrorFor("colum:client_id"), HasSubstr("Did you mean 'column'?"));
  EXPECT_THAT(ErrorFor("idd:100"), HasSubstr("Did you mean 'iid'?"));
}

}  // namespace
}  // namespace flaim
