#include "rows/open/open_rows.h"

#include <fstream>

#include "base/status.h"
#include "data/rows/table_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Schema ColorAndAge() {
  SchemaSpec spec;
  spec.columns.push_back({"color", *CategoricalType::Create({{"red", "green"}, std::nullopt}), false, false, {}});
  spec.columns.push_back(
      {"age", *IntegerType::Create({.min = 0, .max = 2, .bins = {}, .bin_width = {}}), true, true, {}});
  return *Schema::Create(spec);
}

std::string WriteFile(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + "flaim-opened-rows-" + name;
  std::ofstream(path) << content;
  return path;
}

absl::StatusOr<std::unique_ptr<PrivateRows>> OpenFile(const std::string& path) {
  NoProgress progress;
  ASSIGN_OR_RETURN(OpenedRows opened, OpenRows(CsvRows{path}, ColorAndAge(), UnfitRule::kRefuse, progress));
  return std::move(opened.rows);
}

TEST(OpenedRows, OfACsvFileAreCountedAndMeasured) {
  const auto rows = OpenFile(WriteFile("counted.csv", "age,color\n1,red\n7,green\n,green\n1,red\n"));
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ((*rows)->domain(), ColorAndAge().domain());
  EXPECT_THAT((*rows)->CountOne(Clique({0, 1})).value(), ElementsAre(0, 2, 0, 0, 0, 0, 1, 1));
  const std::vector<double> even = {1, 1};
  EXPECT_EQ((*rows)->Distance(Clique({0}), PublicShares(even)).value(), ShareDistance{0});
  const std::vector<double> red = {1, 0};
  EXPECT_EQ((*rows)->Distance(Clique({0}), PublicShares(red)).value(), ShareDistance{4 * PublicShares::kUnit});
}

TEST(OpenedRows, StayAsTheyWereWhenTheFileChanges) {
  const std::string path = WriteFile("changed.csv", "age,color\n1,red\n");
  const auto rows = OpenFile(path);
  ASSERT_TRUE(rows.ok()) << rows.status();
  std::ofstream(path) << "age,color\n1,green\n";
  EXPECT_THAT((*rows)->CountOne(Clique({0})).value(), ElementsAre(1, 0));
}

TEST(OpenedRows, ThatDoNotFitTheSchemaAreRefusedAsByTheTableReader) {
  const std::string path = WriteFile("unfit.csv", "age,color\n1,mauve\n");
  NoProgress progress;
  const absl::Status status = OpenRows(CsvRows{path}, ColorAndAge(), UnfitRule::kRefuse, progress).status();
  EXPECT_EQ(status, ReadTable(path, ColorAndAge()).status());
  EXPECT_THAT(std::string(status.message()), HasSubstr("'mauve'"));
  EXPECT_TRUE(IsForOwnerOnly(status)) << "it quotes a value";
}

TEST(OpenedRows, ThatDoNotFitAreLeftOutWhereTheRuleSaysSoAndTheirOwnerCanSeeHowMany) {
  const std::string path = WriteFile("left-out.csv", "age,color\n1,mauve\n1,red\n1,red,red\nx,green\n");
  NoProgress progress;
  const absl::StatusOr<OpenedRows> opened = OpenRows(CsvRows{path}, ColorAndAge(), UnfitRule::kDrop, progress);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->unfit_rows, 3);
  EXPECT_THAT(opened->rows->CountOne(Clique({0})).value(), ElementsAre(1, 0));
  EXPECT_THAT(opened->rows->CountOne(Clique()).value(), ElementsAre(1));
}

TEST(OpenedRows, ThatAreNotThereAreAnErrorForEverybody) {
  const absl::Status status = OpenFile(testing::TempDir() + "flaim-opened-rows-none.csv").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(IsForOwnerOnly(status));
}

TEST(OpenedRows, AreDescribedWithoutPasswords) {
  EXPECT_EQ(Describe(CsvRows{"patients.csv"}), "patients.csv");
  EXPECT_EQ(Describe(PostgresRows{"host=db dbname=clinic password=S3CRET", "patients", true}),
            "postgresql://db/clinic table=patients");
  EXPECT_EQ(Describe(PostgresRows{"postgresql://u:S3/CRET@db/clinic", "patients"}), "postgresql://? table=patients");
}

TEST(OpenedRows, OfADatabaseThatCannotBeReachedAreUnavailable) {
  NoProgress progress;
  for (const bool counts_in_database : {false, true}) {
    const PostgresRows rows{"host=/nowhere port=1 dbname=clinic password=S3CRET", "patients", counts_in_database};
    const absl::Status status = OpenRows(rows, ColorAndAge(), UnfitRule::kRefuse, progress).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(status.message()), HasSubstr("postgresql://:1/clinic?host=/nowhere: cannot connect"));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("S3CRET")));
  }
}

}  // namespace
}  // namespace flaim
