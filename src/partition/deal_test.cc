#include "partition/deal.h"

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "partition/clustering.h"
#include "partition/umap/umap_testing.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

Table TableOf(const Points& points) {
  std::vector<Attribute> attributes;
  for (std::size_t column = 0; column < points.dimensions; ++column) {
    attributes.push_back({fmt::format("column {}", column), 200});
  }
  TableBuilder builder(Domain::Create(std::move(attributes)).value());
  for (std::size_t row = 0; row < points.size(); ++row) {
    builder.AddRow(std::vector<std::uint32_t>(points.at(row).begin(), points.at(row).end()));
  }
  return std::move(builder).Build();
}

absl::StatusOr<Partition> Deal(const Table& table, std::string_view spec, std::uint64_t seed = 1, int threads = 2) {
  Parallel parallel(threads);
  return DealRows(table, ParsePartitionSpec(spec).value(), seed, parallel, nullptr);
}

TEST(DealRows, DealsInEveryWayThatATableAllows) {
  const Table table = TableOf(CodedClusters(400, 4, 5, 1));
  for (const std::string_view spec : {"iid:7", "clusters:7", "label-skew:7:0.5:column 2"}) {
    const Partition partition = Deal(table, spec).value();
    EXPECT_EQ(partition.clients, 7U) << spec;
    ASSERT_EQ(partition.client_of_row.size(), 400U) << spec;
    EXPECT_THAT(partition.client_of_row, testing::Each(testing::Lt(7U))) << spec;
    EXPECT_EQ(Deal(table, spec, 1, 3).value(), partition) << spec;
    EXPECT_NE(Deal(table, spec, 2).value(), partition) << spec;
  }
}

TEST(DealRows, RefusesWhatTheTableDoesNotHave) {
  const Table table = TableOf(CodedClusters(40, 2, 5, 1));
  EXPECT_THAT(std::string(Deal(table, "label-skew:7:0.5:label").status().message()), HasSubstr("no column 'label'"));
  EXPECT_THAT(std::string(Deal(table, "column:client").status().message()), HasSubstr("'client'"));
}

TEST(PartitionByClusters, GivesRowsThatAreAlikeToTheSameClient) {
  const Table table = TableOf(CodedClusters(600, 5, 6, 3));
  const Partition partition = Deal(table, "clusters:6").value();
  for (std::size_t row = 6; row < 600; ++row) {
    EXPECT_EQ(partition.client_of_row[row], partition.client_of_row[CentreOf(row, 6)]);
  }
  EXPECT_EQ(std::set(partition.client_of_row.begin(), partition.client_of_row.end()).size(), 6U);
}

TEST(PartitionByClusters, LeavesNoClientWithoutRows) {
  for (const std::size_t rows : {1U, 2U, 20U}) {
    const Partition partition = Deal(TableOf(CodedClusters(rows, 2, 1, 1)), fmt::format("clusters:{}", rows)).value();
    EXPECT_EQ(std::set(partition.client_of_row.begin(), partition.client_of_row.end()).size(), rows);
  }
}

TEST(PartitionByClusters, RefusesMoreClientsThanRows) {
  const Table table = TableOf(CodedClusters(5, 2, 1, 1));
  EXPECT_THAT(std::string(Deal(table, "clusters:6").status().message()), HasSubstr("5 rows"));
  Parallel parallel(1);
  EXPECT_THAT(std::string(PartitionByClusters(table, 0, 1, parallel, nullptr).status().message()),
              HasSubstr("1 to 10000"));
}

}  // namespace
}  // namespace flaim
