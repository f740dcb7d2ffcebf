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

TEST(PartitionSpec, ReadsLabelSkewAndClusters) {
  EXPECT_EQ(ParsePartitionSpec("clusters:100").value(), PartitionSpec(ClustersSpec{100}));
  EXPECT_EQ(ParsePartitionSpec("label-skew:10:0.1:income>50K").value(),
            PartitionSpec(LabelSkewSpec{10, 0.1, "income>50K"}));
  EXPECT_EQ(ParsePartitionSpec("label-skew:1:2:a:b").value(), PartitionSpec(LabelSkewSpec{1, 2, "a:b"}));
}

TEST(PartitionSpec, IsReadBackFromItsText) {
  for (const std::string_view text : {"iid:5", "column:a:b", "label-skew:10:0.1:a:b", "clusters:10000"}) {
    EXPECT_EQ(PartitionSpecText(ParsePartitionSpec(text).value()), text);
  }
}

TEST(PartitionSpec, RefusesLabelSkewWithoutAllItsParts) {
  for (const std::string beta : {"0", "-1", "x", "", "inf", "nan", "1e7", "1e-7"}) {
    EXPECT_THAT(ErrorFor("label-skew:10:" + beta + ":income"),
                AllOf(HasSubstr("'" + beta + "'"), HasSubstr("label-skew:100:0.5:income")));
  }
  for (const std::string_view text : {"label-skew:10:0.5", "label-skew:10:0.5:"}) {
    EXPECT_THAT(ErrorFor(text), HasSubstr("third colon"));
  }
  EXPECT_THAT(ErrorFor("label-skew:0:0.5:income"), HasSubstr("from 1 to 10000000"));
  EXPECT_THAT(ErrorFor("label-skew"), HasSubstr("number of clients"));
}

TEST(PartitionSpec, RefusesMoreClustersThanCanBeFound) {
  for (const std::string_view text : {"clusters:10001", "clusters:0", "clusters:", "clusters", "clusters:5:1"}) {
    EXPECT_THAT(ErrorFor(text), AllOf(HasSubstr("from 1 to 10000,"), HasSubstr("clusters:100"))) << text;
  }
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
