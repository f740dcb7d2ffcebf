#include "arrow/arrow_reader.h"

#include <cmath>
#include <limits>

#include "arrow/arrow_testing.h"
#include "base/int128.h"
#include "data/schema/schema_file.h"
#include "data/table/column_codes.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Codes = std::vector<std::uint32_t>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Schema OneColumn(const std::string& column, const std::string& head = "") {
  const auto schema = ParseSchema(head + "\n[[column]]\nname = 'x'\n" + column, "s.toml");
  CHECK(schema.ok(), "{}", std::string(schema.status().message()));
  return *schema;
}

Schema Ages(const std::string& more = "") { return OneColumn("type = 'integer'\nmin = 0\nmax = 99\n" + more); }
Schema Colors(const std::string& more = "") {
  return OneColumn("type = 'categorical'\nvalues = ['red', 'green', '1', '1.5', 'true']\n" + more);
}

absl::StatusOr<Table> Read(std::vector<TestColumn> columns, const Schema& schema, TableReadOptions options = {}) {
  ArrowArrayStream stream{};
  StreamOf(std::move(columns), stream);
  return ReadArrow(stream, schema, options);
}

template <typename... Columns>
std::vector<TestColumn> List(Columns... columns) {
  std::vector<TestColumn> list;
  (list.push_back(std::move(columns)), ...);
  return list;
}

absl::StatusOr<Codes> CodesFrom(TestColumn column, const Schema& schema) {
  const auto table = Read(List(std::move(column)), schema);
  if (!table.ok()) return table.status();
  return CodesOf(*table, 0);
}

std::string ErrorOf(TestColumn column, const Schema& schema) {
  const auto codes = CodesFrom(std::move(column), schema);
  return codes.ok() ? "no error" : std::string(codes.status().message());
}

template <typename Stored>
void ExpectReadsAges(const std::string& format) {
  EXPECT_THAT(*CodesFrom(FixedWidth<Stored>("x", format, {Stored{7}, Stored{99}, Stored{0}}, {.rows = 3}), Ages()),
              ElementsAre(7, 99, 0))
      << format;
  EXPECT_THAT(*CodesFrom(FixedWidth<Stored>("x", format, {Stored{7}, {}}, {.rows = 9}), Ages("nullable = true")),
              ElementsAre(7, 100))
      << format;
  EXPECT_THAT(ErrorOf(FixedWidth<Stored>("x", format, {Stored{7}, Stored{100}}), Ages()),
              HasSubstr("row 2: column 'x': '100' is above the maximum"))
      << format;
}

TEST(ArrowReader, ReadsEveryWidthOfNumbersWithOffsetsAndNulls) {
  ExpectReadsAges<std::int8_t>("c");
  ExpectReadsAges<std::int16_t>("s");
  ExpectReadsAges<std::int32_t>("i");
  ExpectReadsAges<std::int64_t>("l");
  ExpectReadsAges<std::uint8_t>("C");
  ExpectReadsAges<std::uint16_t>("S");
  ExpectReadsAges<std::uint32_t>("I");
  ExpectReadsAges<std::uint64_t>("L");
  ExpectReadsAges<float>("f");
  ExpectReadsAges<double>("g");
  ExpectReadsAges<Int128>("d:38,0");
}

TEST(ArrowReader, ReadsEveryLayoutOfTexts) {
  for (const std::string format : {"u", "U", "vu"}) {
    const Schema schema = Colors("other = 'some text of more than twelve bytes'\nnullable = true");
    const Cells<std::string> cells = {
        "green", {}, "a text that no view holds", "red", "some text of more than twelve bytes", ""};
    EXPECT_THAT(*CodesFrom(Texts("x", format, cells, {.rows = 5}), schema), ElementsAre(1, 6, 5, 0, 5, 6)) << format;
    EXPECT_THAT(ErrorOf(Texts("x", format, {"red", "blue"}), Colors()),
                HasSubstr("row 2: column 'x': 'blue' is not one of the listed values"));
  }
}

TEST(ArrowReader, ReadsDictionariesOfEachBatchAndRefusesOnlyValuesThatRowsUse) {
  std::vector<std::vector<TestColumn>> batches;
  batches.push_back(List(WithDictionary(FixedWidth<std::int8_t>("x", "c", {1, 0, {}, 2}),
                                        Texts("", "u", {"red", "green", {}, "unused and unknown"}))));
  batches.push_back(
      List(WithDictionary(FixedWidth<std::int8_t>("x", "c", {1, 0}, {.rows = 2}), Texts("", "u", {"1", "red"}))));
  ArrowArrayStream stream{};
  StreamOfBatches(std::move(batches), stream);
  EXPECT_THAT(CodesOf(*ReadArrow(stream, Colors("nullable = true")), 0), ElementsAre(1, 0, 5, 5, 0, 2));

  EXPECT_THAT(
      ErrorOf(WithDictionary(FixedWidth<std::uint32_t>("x", "I", {1, 0}), Texts("", "vu", {"blue", "red"})), Colors()),
      HasSubstr("row 2: column 'x': 'blue' is not"));
}

TEST(ArrowReader, RefusesAnIndexOutsideItsDictionary) {
  for (const std::int64_t index : {-1, 1, 1'000'000}) {
    EXPECT_THAT(ErrorOf(WithDictionary(FixedWidth<std::int64_t>("x", "l", {index}), Texts("", "u", {"red"})), Colors()),
                HasSubstr("outside its dictionary"));
  }
  EXPECT_THAT(ErrorOf(WithDictionary(FixedWidth<std::int64_t>("x", "l", {0}), Texts("", "u", {})), Colors()),
              HasSubstr("outside its dictionary"));
}

TEST(ArrowReader, WholeFloatsAreWholeNumbersAndNaNIsMissing) {
  EXPECT_THAT(*CodesFrom(FixedWidth<double>("x", "g", {7.0, kNaN, -0.0}), Ages("nullable = true")),
              ElementsAre(7, 100, 0));
  EXPECT_THAT(ErrorOf(FixedWidth<double>("x", "g", {7.5}), Ages()), HasSubstr("'7.5' is not a whole number"));
  EXPECT_THAT(ErrorOf(FixedWidth<double>("x", "g", {1e20}), Ages()),
              HasSubstr("'100000000000000000000' is above the maximum"));
  EXPECT_THAT(*CodesFrom(FixedWidth<double>("x", "g", {1e300, -1e300}), Ages("clamp = true")), ElementsAre(99, 0));
  EXPECT_THAT(ErrorOf(FixedWidth<double>("x", "g", {kNaN}), Ages()),
              HasSubstr("'' means a missing value; set nullable"));
  EXPECT_THAT(ErrorOf(FixedWidth<float>("x", "f", {std::numeric_limits<float>::infinity()}), Ages("clamp = true")),
              HasSubstr("'inf' is not a whole number"));
}

TEST(ArrowReader, NumbersAndTruthValuesInACategoricalColumnAreTheirTexts) {
  EXPECT_THAT(*CodesFrom(FixedWidth<double>("x", "g", {1.5, 1.0}), Colors()), ElementsAre(3, 2));
  EXPECT_THAT(*CodesFrom(FixedWidth<float>("x", "f", {1.5F, 1.0F}), Colors()), ElementsAre(3, 2));
  EXPECT_THAT(*CodesFrom(FixedWidth<std::int16_t>("x", "s", {1}), Colors()), ElementsAre(2));
  EXPECT_THAT(*CodesFrom(FixedWidth<Int128>("x", "d:10,3", {1500, 1000}), Colors()), ElementsAre(3, 2));
  EXPECT_THAT(*CodesFrom(Booleans("x", {true}), Colors()), ElementsAre(4));
  EXPECT_THAT(ErrorOf(Booleans("x", {true, false}), Colors()), HasSubstr("row 2: column 'x': 'false' is not"));
}

TEST(ArrowReader, ATruthValueNeedsNoSpelling) {
  const Schema schema = OneColumn("type = 'boolean'\ntrue_values = ['ja']\nfalse_values = ['nein']\nnullable = true");
  EXPECT_THAT(*CodesFrom(Booleans("x", {true, false, {}, true}, {.rows = 6}), schema), ElementsAre(1, 0, 2, 1));
  EXPECT_THAT(*CodesFrom(Texts("x", "u", {"ja", "nein"}), schema), ElementsAre(1, 0));
  EXPECT_THAT(*CodesFrom(FixedWidth<std::int8_t>("x", "c", {1, 0}), OneColumn("type = 'boolean'")), ElementsAre(1, 0));
}

TEST(ArrowReader, AFloatOfSinglePrecisionIsTheNumberThatItPrints) {
  const Schema schema = OneColumn("type = 'real'\nedges = [0, 0.7, 1]");
  ASSERT_LT(double{0.7F}, 0.7);
  EXPECT_THAT(*CodesFrom(FixedWidth<float>("x", "f", {0.7F, 0.6F, 1.0F, 0.0F}), schema), ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(ErrorOf(FixedWidth<float>("x", "f", {1.1F}), schema), HasSubstr("'1.1' is above the maximum"));
}

TEST(ArrowReader, ComparesTimesNotTexts) {
  for (const std::string format : {"", "format = '%d/%m/%Y'"}) {
    const Schema days = OneColumn("type = 'date'\nmin = 1969-12-30\nmax = 1970-01-03\n" + format);
    EXPECT_THAT(*CodesFrom(FixedWidth<std::int32_t>("x", "tdD", {-2, 0, 2}), days), ElementsAre(0, 2, 4));
    EXPECT_THAT(*CodesFrom(FixedWidth<std::int64_t>("x", "tdm", {-172'800'000, 86'400'000}), days), ElementsAre(0, 3));
    EXPECT_THAT(*CodesFrom(FixedWidth<std::int64_t>("x", "tsn:", {-86'400'000'000'000}), days), ElementsAre(1));
    EXPECT_THAT(ErrorOf(FixedWidth<std::int64_t>("x", "tsm:", {1}), days),
                HasSubstr("'1970-01-01T00:00:00.001' is not a date"));
  }
  EXPECT_THAT(ErrorOf(FixedWidth<std::int32_t>("x", "tdD", {3}),
                      OneColumn("type = 'date'\nmin = 1970-01-01\nmax = 1970-01-03\nformat = '%d/%m/%Y'")),
              HasSubstr("'04/01/1970' is above the maximum"));

  const Schema minutes =
      OneColumn("type = 'datetime'\nmin = 1969-12-31T23:58:00\nmax = 1970-01-01T00:02:00\nformat = '%d.%m.%Y %H:%M'");
  EXPECT_THAT(*CodesFrom(FixedWidth<std::int64_t>("x", "tsu:UTC", {-1, 0, 60'000'000, 179'999'999}), minutes),
              ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(ErrorOf(FixedWidth<std::int32_t>("x", "tdD", {0}), minutes), HasSubstr("'1970-01-01' is not a date"));
}

TEST(ArrowReader, TimesOutsideTheCalendarAreRefused) {
  const Schema schema =
      OneColumn("type = 'datetime'\nmin = 1970-01-01T00:00:00\nmax = 1970-01-01T00:02:00\nclamp = true");
  for (const std::int64_t time : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_THAT(ErrorOf(FixedWidth<std::int64_t>("x", "tss:", {time}), schema), HasSubstr("is not a date with time"));
  }
  EXPECT_THAT(*CodesFrom(FixedWidth<std::int64_t>("x", "tsn:", {std::numeric_limits<std::int64_t>::min()}), schema),
              ElementsAre(0));
}

TEST(ArrowReader, RefusesOtherTimeZonesAndTypesWithoutTextsUnlessTheColumnIsDropped) {
  EXPECT_THAT(ErrorOf(FixedWidth<std::int64_t>("x", "tss:Europe/Paris", {0}), Ages()),
              AllOf(HasSubstr("column 'x' holds times of the time zone 'Europe/Paris'"), HasSubstr("UTC")));
  for (const std::string format : {"z", "+l", "tDs", "tts", "w:4", "d:40,2,256", "", "?"}) {
    EXPECT_THAT(ErrorOf(FixedWidth<std::int64_t>("x", format, {0}), Ages()), HasSubstr("cast it to a text")) << format;
  }
  const Schema drops = OneColumn("type = 'integer'\nmin = 0\nmax = 9", "drop = ['blob']");
  EXPECT_EQ(
      Read(List(FixedWidth<std::int64_t>("blob", "z", {0}), FixedWidth<std::int64_t>("x", "l", {0})), drops)->rows(),
      1U);
}

TEST(ArrowReader, ReadsHalfPrecisionNumbersByTheirShortTexts) {
  const auto halves = [](const Cells<std::uint16_t>& cells) { return FixedWidth<std::uint16_t>("x", "e", cells); };
  const Schema tenths = OneColumn("type = 'real'\nedges = [0, 0.1, 0.2, 1]\nnullable = true");
  EXPECT_THAT(*CodesFrom(halves({0x2E66, 0x2E65, 0x3C00, 0x8000, 0x7E00, std::nullopt}), tenths),
              ElementsAre(1, 0, 2, 0, 3, 3));
  EXPECT_THAT(ErrorOf(halves({0x7C00}), tenths), HasSubstr("'inf' is not a number"));
  EXPECT_THAT(ErrorOf(halves({0x3E00}), Ages()), HasSubstr("'1.5' is not a whole number"));
  EXPECT_THAT(*CodesFrom(halves({0x4200}), Ages()), ElementsAre(3));
}

TEST(ArrowReader, EmptyStreamsAndBatchesAreEmptyTables) {
  ArrowArrayStream stream{};
  ExportStream(TableField({{.format = "l", .name = "x", .children = {}, .dictionary = {}}}), {}, stream);
  EXPECT_EQ(ReadArrow(stream, Ages())->rows(), 0U);
  EXPECT_THAT(*CodesFrom(FixedWidth<std::int64_t>("x", "l", {}), Ages()), IsEmpty());
  EXPECT_THAT(*CodesFrom(Texts("x", "u", {}), Colors()), IsEmpty());
  EXPECT_THAT(*CodesFrom(Nulls("x", 2), Ages("nullable = true")), ElementsAre(100, 100));

  std::vector<std::vector<TestColumn>> batches;
  for (const Cells<std::int64_t>& cells : {Cells<std::int64_t>{1}, {}, {2, 3}}) {
    batches.push_back(List(FixedWidth<std::int64_t>("x", "l", cells)));
  }
  StreamOfBatches(std::move(batches), stream);
  EXPECT_THAT(CodesOf(*ReadArrow(stream, Ages()), 0), ElementsAre(1, 2, 3));
}

TEST(ArrowReader, CountsRowsThroughBatchesAndReportsTheFirstBadRow) {
  const Schema schema = *ParseSchema(R"(
[[column]]
name = "a"
type = "integer"
min = 0
max = 9
[[column]]
name = "b"
type = "integer"
min = 0
max = 9
)",
                                     "s.toml");
  std::vector<std::vector<TestColumn>> batches;
  batches.push_back(List(FixedWidth<std::int8_t>("b", "c", {1, 2}), FixedWidth<std::int8_t>("a", "c", {1, 2})));
  batches.push_back(
      List(FixedWidth<std::int8_t>("b", "c", {1, 20, 30}), FixedWidth<std::int8_t>("a", "c", {1, 21, 40})));
  ArrowArrayStream stream{};
  StreamOfBatches(std::move(batches), stream);
  EXPECT_THAT(std::string(ReadArrow(stream, schema).status().message()), HasSubstr("row 4: column 'a': '21'"));

  StreamOf(List(FixedWidth<std::int8_t>("b", "c", {1, 20}), FixedWidth<std::int8_t>("a", "c", {1, 2})), stream);
  EXPECT_THAT(std::string(ReadArrow(stream, schema).status().message()), HasSubstr("row 2: column 'b': '20'"));
}

TEST(ArrowReader, MatchesColumnsAsAFileDoes) {
  EXPECT_THAT(ErrorOf(FixedWidth<std::int64_t>("y", "l", {1}), Ages()),
              AllOf(HasSubstr("lacks: 'x'"), HasSubstr("does not mention: 'y'")));
  const auto two = [] {
    return List(FixedWidth<std::int64_t>("x", "l", {1}), FixedWidth<std::int64_t>("y", "l", {1}));
  };
  EXPECT_FALSE(Read(two(), Ages()).ok());
  EXPECT_TRUE(Read(two(), Ages(), {.ignore_extra_columns = true}).ok());
  EXPECT_THAT(
      std::string(Read(List(FixedWidth<std::int64_t>("x", "l", {1}), FixedWidth<std::int64_t>("x", "l", {1})), Ages())
                      .status()
                      .message()),
      HasSubstr("both named 'x'"));
}

TEST(ArrowReader, LeavesRowsOutThatDoNotFitOrCountsTheirValuesAsOther) {
  const Schema schema = *ParseSchema(
      "[[column]]\nname = 'a'\ntype = 'integer'\nmin = 0\nmax = 9\nnullable = true\n"
      "[[column]]\nname = 'b'\ntype = 'categorical'\nvalues = ['red', 'blue']\nother = 'rest'\n"
      "[[column]]\nname = 'c'\ntype = 'boolean'\nnullable = true\n",
      "s.toml");
  const auto read = [&](const TableReadOptions& options) {
    std::vector<std::vector<TestColumn>> batches;
    batches.push_back(
        List(FixedWidth<std::int64_t>("a", "l", {1, 10, {}, 4}),
             WithDictionary(FixedWidth<std::int8_t>("b", "c", {0, 1, {}, 0}), Texts("", "u", {"red", "blue"})),
             Texts("c", "u", {"yes", "no", "no", "maybe"})));
    batches.push_back(List(FixedWidth<std::int64_t>("a", "l", {-1, 5}),
                           WithDictionary(FixedWidth<std::int8_t>("b", "c", {1, 0}), Texts("", "u", {"blue", "red"})),
                           Texts("c", "u", {"no", "yes"})));
    ArrowArrayStream stream{};
    StreamOfBatches(std::move(batches), stream);
    return ReadArrow(stream, schema, options);
  };
  EXPECT_THAT(std::string(read({}).status().message()), HasSubstr("row 2: column 'a': '10'"));
  const auto rows_of = [](const Table& table) {
    std::vector<std::vector<std::uint32_t>> rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      rows.push_back({table.at(row, 0), table.at(row, 1), table.at(row, 2)});
    }
    return rows;
  };
  using Rows = std::vector<std::vector<std::uint32_t>>;
  std::uint64_t unfit = 99;
  EXPECT_EQ(rows_of(read({.unfit = UnfitRule::kDrop, .unfit_rows = &unfit}).value()), (Rows{{1, 0, 1}, {5, 1, 1}}));
  EXPECT_EQ(unfit, 4U);
  EXPECT_EQ(rows_of(read({.unfit = UnfitRule::kOther, .unfit_rows = &unfit}).value()),
            (Rows{{1, 0, 1}, {10, 1, 0}, {10, 2, 0}, {4, 0, 2}, {10, 0, 0}, {5, 1, 1}}));
  EXPECT_EQ(unfit, 4U);
}

TEST(ArrowReader, TrimsBlanksOnlyWhenTheSchemaSaysSo) {
  const std::string column = "type = 'categorical'\nvalues = ['red']";
  EXPECT_THAT(ErrorOf(Texts("x", "u", {" red\t"}), OneColumn(column)), HasSubstr("' red\\t' is not"));
  EXPECT_THAT(*CodesFrom(Texts("x", "u", {" red\t"}), OneColumn(column, "trim_blanks = true")), ElementsAre(0));
  EXPECT_THAT(ErrorOf(Texts("x", "u", {" blue\t"}), OneColumn(column, "trim_blanks = true")),
              HasSubstr("'blue' is not"));
}

TEST(ArrowReader, ReadsAColumnOfNumbersAlongside) {
  const auto read = [](TestColumn client, const std::string& name = "client") {
    ArrowArrayStream stream{};
    StreamOf(List(std::move(client), FixedWidth<std::int64_t>("x", "l", {1, 2})), stream);
    return ReadArrowWithNumbers(stream, Ages(), name);
  };
  EXPECT_THAT(read(FixedWidth<std::int16_t>("client", "s", {5, -2}))->numbers, ElementsAre(5, -2));
  EXPECT_THAT(read(FixedWidth<double>("client", "g", {5, -2}))->numbers, ElementsAre(5, -2));
  EXPECT_THAT(read(Texts("client", "U", {"5", "-2"}))->numbers, ElementsAre(5, -2));
  EXPECT_THAT(read(WithDictionary(FixedWidth<std::int8_t>("client", "c", {0, 0}), Texts("", "u", {"7"})))->numbers,
              ElementsAre(7, 7));
  EXPECT_THAT(std::string(read(Texts("client", "u", {"5", "b"})).status().message()),
              HasSubstr("row 2: column 'client': 'b' is not a whole number"));
  EXPECT_THAT(std::string(read(FixedWidth<std::int64_t>("client", "l", {5, {}})).status().message()),
              HasSubstr("'' is not a whole number"));
  EXPECT_THAT(std::string(read(FixedWidth<std::int64_t>("client", "l", {5, 6}), "x").status().message()),
              HasSubstr("kept by the schema"));
}

class Stopping final : public ProgressSink {
 public:
  void Report(const Progress&) override {}
  bool ShouldStop() override { return true; }
};

TEST(ArrowReader, StopsWhenAsked) {
  Stopping progress;
  const auto table = Read(List(FixedWidth<std::int64_t>("x", "l", {1})), Ages(), {.progress = &progress});
  EXPECT_EQ(table.status().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace flaim
