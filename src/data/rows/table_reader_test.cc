#include "data/rows/table_reader.h"

#include "data/schema/schema_file.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Schema SmallSchema(std::string_view extra = "") {
  return *ParseSchema(std::string(extra) + R"(
drop = ["note"]
[[column]]
name = "color"
type = "categorical"
values = ["red", "green"]
[[column]]
name = "age"
type = "integer"
min = 0
max = 99
)",
                      "s.toml");
}

absl::StatusOr<Table> Read(std::string csv, const Schema& schema, TableReadOptions options = {}) {
  return ReadTable(StringSource("data.csv", std::move(csv)), schema, options);
}

std::string ErrorOf(std::string csv, const Schema& schema = SmallSchema()) {
  const auto table = Read(std::move(csv), schema);
  return table.ok() ? "no error" : std::string(table.status().message());
}

TEST(TableReader, FindsColumnsByNameAndDropsTheRest) {
  const auto table = Read("age,note,color\n7,\"a,\nb\",green\n99,,red\n", SmallSchema());
  ASSERT_TRUE(table.ok()) << table.status().message();
  ASSERT_EQ(table->rows(), 2U);
  EXPECT_EQ(table->at(0, 0), 1U);
  EXPECT_EQ(table->at(0, 1), 7U);
  EXPECT_EQ(table->at(1, 0), 0U);
  EXPECT_EQ(table->at(1, 1), 99U);
}

TEST(TableReader, AHeaderWithoutRowsIsAnEmptyTable) {
  EXPECT_EQ(Read("color,age,note\n", SmallSchema())->rows(), 0U);
  EXPECT_EQ(Read("color,age", SmallSchema())->rows(), 0U) << "a dropped column may be absent";
}

TEST(TableReader, NamesFileLineColumnAndValueAndSaysWhatToDo) {
  EXPECT_THAT(
      ErrorOf("color,age\nred,1\nblue,2\n"),
      AllOf(HasSubstr("data.csv:3: column 'color': 'blue' is not one of the listed values"), HasSubstr("'other'")));
  EXPECT_THAT(ErrorOf("color,age\nred,100\n"), AllOf(HasSubstr("data.csv:2: column 'age': '100'"), HasSubstr("clamp")));
  EXPECT_THAT(ErrorOf("color,age\nred,-1\n"), HasSubstr("below the minimum"));
  EXPECT_THAT(ErrorOf("color,age\nred,\n"), HasSubstr("nullable"));
  EXPECT_THAT(ErrorOf("color,age\nred,x\x1b\n"), HasSubstr("'x\\x1b' is not a whole number"));
  EXPECT_THAT(ErrorOf(fmt::format("color,age\n{:q>1000},1\n", "")), HasSubstr(fmt::format("'{:q>60}...'", "")));
}

TEST(TableReader, CountsLinesThroughQuotedNewlines) {
  EXPECT_THAT(ErrorOf("note,color,age\n\"1\n2\n3\",red,1\nx,blue,1\n"), HasSubstr("data.csv:5:"));
}

TEST(TableReader, RefusesFilesOfTheWrongShape) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("data.csv: empty file"));
  EXPECT_THAT(ErrorOf("color,age\nred\n"), HasSubstr("data.csv:2: 1 fields where the header has 2"));
  EXPECT_THAT(ErrorOf("color,age\nred,1,2\n"), HasSubstr("3 fields"));
  EXPECT_THAT(ErrorOf("color,age,color\n"), HasSubstr("columns 1 and 3 are both named 'color'"));
  EXPECT_THAT(ErrorOf(std::string("color,age\nred,\0001\n", 17)), HasSubstr("NUL"));
}

TEST(TableReader, ListsMissingAndUnexpectedColumns) {
  EXPECT_THAT(ErrorOf("color,Age,extra\n"),
              AllOf(HasSubstr("lacks: 'age'"), HasSubstr("'Age', 'extra'"), HasSubstr("'drop'")));
  EXPECT_THAT(ErrorOf("color;age\n"), HasSubstr("is ',' the delimiter"));
}

TEST(TableReader, IgnoresExtraColumnsOnlyWhenAsked) {
  EXPECT_FALSE(Read("color,age,extra\nred,1,?\n", SmallSchema()).ok());
  EXPECT_EQ(Read("color,age,extra\nred,1,?\n", SmallSchema(), {.ignore_extra_columns = true})->rows(), 1U);
}

TEST(TableReader, TrimsBlanksOnlyWhenTheSchemaSaysSo) {
  EXPECT_THAT(ErrorOf("color, age\nred, 1\n"), HasSubstr("' age'"));
  const auto table = Read("color, age\nred , 1\n", SmallSchema("trim_blanks = true"));
  ASSERT_TRUE(table.ok()) << table.status().message();
  EXPECT_EQ(table->at(0, 1), 1U);
}

TEST(TableReader, ReadsAColumnOfNumbersAlongside) {
  const auto read =
      ReadTableWithNumbers(StringSource("d", "client,color,age\n5,red,1\n-2,green,2\n"), SmallSchema(), "client");
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_THAT(read->numbers, ElementsAre(5, -2));
  EXPECT_EQ(read->table.rows(), 2U);
}

TEST(TableReader, RefusesANumberColumnThatIsAbsentKeptOrNotNumbers) {
  const auto error_of = [](std::string csv, const std::string& column) {
    return std::string(
        ReadTableWithNumbers(StringSource("d", std::move(csv)), SmallSchema(), column).status().message());
  };
  EXPECT_THAT(error_of("color,age\n", "client"), HasSubstr("lacks: 'client'"));
  EXPECT_THAT(error_of("color,age\n", "age"), HasSubstr("kept by the schema"));
  EXPECT_THAT(error_of("client,color,age\nx,red,1\n", "client"),
              HasSubstr("d:2: column 'client': 'x' is not a whole number"));
}

class RecordingSink final : public ProgressSink {
 public:
  void Report(const Progress& progress) override {
    last = progress.done;
    ++reports;
  }
  std::uint64_t last = 0;
  int reports = 0;
};

TEST(TableReader, ReportsProgress) {
  std::string csv = "color,age\n";
  for (int i = 0; i < 70'000; ++i) csv += "red,1\n";
  RecordingSink sink;
  ASSERT_TRUE(Read(std::move(csv), SmallSchema(), {.progress = &sink}).ok());
  EXPECT_EQ(sink.last, 70'000U);
  EXPECT_EQ(sink.reports, 2);
}

}  // namespace
}  // namespace flaim
