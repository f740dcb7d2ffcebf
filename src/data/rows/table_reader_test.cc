#include "data/rows/table_reader.h"

#include <optional>

#include "base/seeded_random_source.h"
#include "data/schema/random_schema_testing.h"
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

// Texts of every kind, most of which fit.
std::string RandomValue(const Column& column, RandomSource& random) {
  static const std::vector<std::string> kOdd = {"", "-1e300", "99999999999999999999", "NA", "?", "9999-12-31", "mauve"};
  std::string text;
  if (random.NextBelow(8) == 0) return kOdd[random.NextBelow(kOdd.size())];
  column.Decode(static_cast<std::uint32_t>(random.NextBelow(column.size())), random, text);
  return text;
}

std::string InQuotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string RecordOf(const std::vector<std::string>& values, char delimiter) {
  std::string record;
  for (const std::string& value : values) record += InQuotes(value) + delimiter;
  record.back() = '\n';
  return record;
}

// The rule, row by row, in the plainest way. Nothing for a row that is left out.
std::optional<std::vector<std::uint32_t>> CodesBy(UnfitRule rule, const Schema& schema,
                                                  const std::vector<std::string>& values) {
  if (values.size() != schema.columns().size()) return std::nullopt;
  std::vector<std::uint32_t> codes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Column& column = schema.columns()[i];
    const Encoded encoded = column.Encode(schema.spec().trim_blanks ? TrimBlanks(values[i]) : values[i]);
    if (encoded.outcome != EncodeOutcome::kExact && rule == UnfitRule::kDrop) return std::nullopt;
    codes.push_back(encoded.outcome == EncodeOutcome::kExact ? encoded.code : *column.CatchAll());
  }
  return codes;
}

TEST(TableReader, MakesOneRowOrNoneOfEveryRecordByTheRuleForValuesThatDoNotFit) {
  SeededRandomSource random(1, "unfit");
  std::int64_t dropped = 0;
  std::int64_t counted_as_other = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Schema schema = RandomSchema(random);
    const UnfitRule rule = CheckUnfitRule(schema, UnfitRule::kOther).ok() ? UnfitRule::kOther : UnfitRule::kDrop;
    std::vector<std::string> names;
    for (const Column& column : schema.columns()) names.push_back(column.name());
    std::string csv = RecordOf(names, schema.spec().delimiter);
    std::vector<std::vector<std::uint32_t>> expected;
    std::uint64_t unfit = 0;
    for (int row = 0; row < 20; ++row) {
      std::vector<std::string> values;
      for (const Column& column : schema.columns()) values.push_back(RandomValue(column, random));
      if (random.NextBelow(20) == 0) values.push_back("one field too many");
      csv += RecordOf(values, schema.spec().delimiter);
      const bool fits = CodesBy(UnfitRule::kDrop, schema, values).has_value();
      unfit += fits ? 0 : 1;
      if (const auto codes = CodesBy(rule, schema, values)) {
        counted_as_other += fits ? 0 : 1;
        expected.push_back(*codes);
      } else {
        ++dropped;
      }
    }
    std::uint64_t unfit_rows = 99;
    const auto table = Read(csv, schema, {.unfit = rule, .unfit_rows = &unfit_rows});
    ASSERT_TRUE(table.ok()) << table.status() << csv;
    ASSERT_EQ(table->rows(), expected.size());
    EXPECT_EQ(unfit_rows, unfit);
    for (std::size_t row = 0; row < expected.size(); ++row) {
      for (std::size_t i = 0; i < names.size(); ++i) {
        ASSERT_EQ(table->at(row, static_cast<AttributeIndex>(i)), expected[row][i]) << csv;
      }
    }
  }
  EXPECT_GT(dropped, 100);
  EXPECT_GT(counted_as_other, 30);
}

TEST(TableReader, CountsUnfitValuesAsOtherOrElseAsMissing) {
  const Schema schema = *ParseSchema(R"(
[[column]]
name = "color"
type = "categorical"
values = ["red", "rest", "green"]
other = "rest"
[[column]]
name = "age"
type = "integer"
min = 0
max = 99
nullable = true
)",
                                     "s.toml");
  const auto table = Read("color,age\n,100\nmauve,x\ngreen,7\n", schema, {.unfit = UnfitRule::kOther});
  ASSERT_TRUE(table.ok()) << table.status();
  ASSERT_EQ(table->rows(), 3U);
  EXPECT_EQ(table->at(0, 0), 1U) << "a missing value where none is allowed";
  EXPECT_EQ(table->at(0, 1), 100U);
  EXPECT_EQ(table->at(1, 0), 1U);
  EXPECT_EQ(table->at(1, 1), 100U);
  EXPECT_EQ(table->at(2, 1), 7U);
}

TEST(TableReader, RefusesARuleThatTheSchemaHasNoCodesForWhateverTheRowsAre) {
  for (const char* csv : {"color,age\n", "color,age\nred,1\n", "color,age\nmauve,1\n"}) {
    const auto table = Read(csv, SmallSchema(), {.unfit = UnfitRule::kOther});
    EXPECT_THAT(std::string(table.status().message()), HasSubstr("column 'color' has no code"));
  }
}

}  // namespace
}  // namespace flaim
