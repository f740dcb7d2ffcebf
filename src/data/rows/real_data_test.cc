#include <filesystem>

#include "data/rows/real_data_testing.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

class SmallDataset : public testing::TestWithParam<DatasetOfReadme> {};

TEST_P(SmallDataset, LoadsWithItsSchema) { ExpectDatasetLoads(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Readme, SmallDataset,
                         testing::Values(DatasetOfReadme{"adult", 48'842, 15}, DatasetOfReadme{"magic", 19'020, 11},
                                         DatasetOfReadme{"marketing", 41'188, 21},
                                         DatasetOfReadme{"credit", 27'745, 31},
                                         DatasetOfReadme{"aim_adult", 48'842, 14}),
                         [](const auto& dataset) { return std::string(dataset.param.name); });

TEST(RealData, AimAdultLoadsWithItsDomainFile) {
  SKIP_IF_ABSENT("aim_adult.csv.xz");
  const auto schema = LoadSchema(DataPath("aim_adult-domain.json"));
  ASSERT_TRUE(schema.ok()) << schema.status().message();
  const auto table = ReadTable(DataPath("aim_adult.csv.xz"), *schema);
  ASSERT_TRUE(table.ok()) << table.status().message();
  EXPECT_EQ(table->rows(), 48'842U);
  std::vector<std::int64_t> sizes;
  for (const Attribute& attribute : table->domain().attributes()) sizes.push_back(attribute.size);
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2}));
}

TEST(RealData, DomainFilesWithoutTablesLoad) {
  SKIP_IF_ABSENT("aim_colorado-domain.json");
  EXPECT_EQ(LoadSchema(DataPath("aim_colorado-domain.json"))->domain().size(), 99);
  EXPECT_EQ(LoadSchema(DataPath("aim_fire-domain.json"))->domain().size(), 15);
  EXPECT_EQ(LoadSchema(DataPath("aim_loans-domain.json"))->domain().size(), 48);
}

TEST(RealData, ReferencePartitionsHaveOneClientForEachRow) {
  SKIP_IF_ABSENT("reference/adult/train.csv.xz");
  for (const std::string folder : {"reference/adult", "reference/synthfs_a2"}) {
    const auto schema = LoadSchema(DataPath(folder + "/domain.json"));
    ASSERT_TRUE(schema.ok()) << schema.status().message();
    EXPECT_FALSE(ReadTable(DataPath(folder + "/train.csv.xz"), *schema).ok()) << "client_id is not in the domain";
    const auto read = ReadTableWithNumbers(DataPath(folder + "/train.csv.xz"), *schema, "client_id");
    ASSERT_TRUE(read.ok()) << read.status().message();
    ASSERT_EQ(read->numbers.size(), read->table.rows());
    const auto [first, last] = std::minmax_element(read->numbers.begin(), read->numbers.end());
    EXPECT_EQ(*first, 0);
    EXPECT_EQ(*last, 99);
  }
}

}  // namespace
}  // namespace flaim
