#include "data/guess/schema_init.h"

#include "base/seeded_random_source.h"
#include "data/rows/table_reader.h"
#include "data/schema/random_schema_testing.h"
#include "data/schema/schema_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

absl::StatusOr<InitialSchema> Init(std::string csv, SchemaInitMode mode) {
  return InitSchema(StringSource("d.csv", std::move(csv)), mode);
}

constexpr std::string_view kHeader = "color,age,weight,member,born,seen,zip\n";

// Rows whose types do not change, whatever is drawn.
std::string RandomRows(RandomSource& random) {
  std::string rows;
  const std::uint64_t count = 1 + random.NextBelow(1500);
  for (std::uint64_t row = 0; row < count; ++row) {
    rows += fmt::format("c{},{},{}.5,{},20{:02}-01-{:02},2020-01-01T{:02}:00:00,0{}\n", random.NextBelow(50),
                        random.NextBelow(5000), random.NextBelow(100), random.NextBelow(2) == 0 ? "yes" : "no",
                        random.NextBelow(24), 1 + random.NextBelow(28), random.NextBelow(24), random.NextBelow(9999));
    if (random.NextBelow(10) == 0) rows += "?,,NA,?,,,?\n";
  }
  return rows;
}

TEST(SchemaInit, TypesOnlyGivesTheSameBytesForNeighbouringFiles) {
  SeededRandomSource random(9);
  const std::string first = Init(std::string(kHeader) + RandomRows(random), SchemaInitMode::kTypesOnly)->toml;
  for (int round = 0; round < 50; ++round) {
    ASSERT_EQ(Init(std::string(kHeader) + RandomRows(random), SchemaInitMode::kTypesOnly)->toml, first);
  }
  for (const char* type : {"categorical", "integer", "real", "boolean", "date", "datetime"}) {
    EXPECT_THAT(first, HasSubstr(fmt::format("type = \"{}\"", type)));
  }
}

TEST(SchemaInit, TypesOnlyReadsNoFurtherThanTheFirstRows) {
  std::string csv = "a\n";
  for (std::uint64_t i = 0; i < kRowsForTypes; ++i) csv += "1\n";
  const std::string toml = Init(csv, SchemaInitMode::kTypesOnly)->toml;
  EXPECT_EQ(Init(csv + "text\n", SchemaInitMode::kTypesOnly)->toml, toml);
}

// One record decides between an integer and a text.
TEST(SchemaInit, TypesOnlyIsStampedBecauseARecordCanChangeAType) {
  const std::string numbers = Init("a\n1\n2\n", SchemaInitMode::kTypesOnly)->toml;
  const std::string texts = Init("a\n1\n2\nmany\n", SchemaInitMode::kTypesOnly)->toml;
  EXPECT_NE(numbers, texts);
  for (const std::string& toml : {numbers, texts}) {
    EXPECT_THAT(toml, HasSubstr("\nderived_from_private_rows = true\n"));
  }
  const auto flags_only = ParseSchema(Init("a\ntrue\nfalse\n", SchemaInitMode::kTypesOnly)->toml, "s");
  ASSERT_TRUE(flags_only.ok()) << flags_only.status();
  EXPECT_TRUE(flags_only->spec().derived_from_private_rows);
}

TEST(SchemaInit, TypesOnlyIsRefusedUntilItIsFilledIn) {
  const auto initial = Init("color,age\ncrimson,5\n", SchemaInitMode::kTypesOnly);
  const auto schema = ParseSchema(initial->toml, "s.toml");
  EXPECT_THAT(std::string(schema.status().message()),
              HasSubstr("fill in the values of column 'color'; the min and max of column 'age'"));
  EXPECT_THAT(initial->toml, AllOf(HasSubstr("No value, bound or count"), Not(HasSubstr("crimson"))));
  EXPECT_TRUE(initial->report.columns[0].needs_filling);
  EXPECT_EQ(initial->report.rows_read, std::nullopt);
}

TEST(SchemaInit, FromRowsReadsTheFileThatItCameFrom) {
  SeededRandomSource random(9);
  for (int round = 0; round < 20; ++round) {
    const std::string csv = std::string(kHeader) + RandomRows(random);
    const auto initial = Init(csv, SchemaInitMode::kFromPrivateRows);
    ASSERT_TRUE(initial.ok()) << initial.status().message();
    const auto schema = ParseSchema(initial->toml, "s.toml");
    ASSERT_TRUE(schema.ok()) << schema.status().message() << initial->toml;
    const auto table = ReadTable(StringSource("d.csv", csv), *schema);
    ASSERT_TRUE(table.ok()) << table.status().message() << initial->toml;
    EXPECT_EQ(table->rows(), initial->report.rows_read);
  }
}

TEST(SchemaInit, FromRowsSaysThatItIsNotPrivateAndTheSchemaKeepsSayingSo) {
  const auto initial = Init("a\n1\n", SchemaInitMode::kFromPrivateRows);
  EXPECT_TRUE(initial->toml.starts_with("# NOT PRIVATE"));
  EXPECT_THAT(initial->toml, HasSubstr("\nderived_from_private_rows = true\n"));
  EXPECT_TRUE(ParseSchema(initial->toml, "s")->spec().derived_from_private_rows);
}

TEST(SchemaInit, FromRowsTakesMarkersForMissingOnlyWhereTheyCannotBeValues) {
  const auto initial = Init("country,age,empty\nNA,?\nDE,5\n", SchemaInitMode::kFromPrivateRows);
  EXPECT_FALSE(initial.ok()) << "two fields, three names";
  const auto good = Init("country,age,empty\nNA,?,\nDE,5,\n", SchemaInitMode::kFromPrivateRows);
  ASSERT_TRUE(good.ok()) << good.status().message();
  EXPECT_THAT(good->toml, AllOf(HasSubstr("values = [\"DE\", \"NA\"]"), HasSubstr("missing = [\"?\"]"),
                                HasSubstr("drop = [\"empty\"]")));
}

TEST(SchemaInit, FromRowsDropsIdentifiers) {
  std::string csv = "id,x\n";
  for (int i = 0; i < 1100; ++i) csv += fmt::format("p{},1\n", i);
  const auto initial = Init(csv, SchemaInitMode::kFromPrivateRows);
  EXPECT_THAT(initial->toml, HasSubstr("drop = [\"id\"]"));
  EXPECT_THAT(initial->report.columns[0].note, HasSubstr("identifier"));
}

TEST(SchemaInit, GuessesTheDelimiterAndBlanksFromTheHeader) {
  EXPECT_EQ(Init("a;b,c;d\n", SchemaInitMode::kTypesOnly)->report.delimiter, ';');
  EXPECT_EQ(Init("a\tb\n", SchemaInitMode::kTypesOnly)->report.delimiter, '\t');
  EXPECT_EQ(Init("\"a;b;c\",d\n1,2\n", SchemaInitMode::kTypesOnly)->report.delimiter, ',');
  EXPECT_THAT(Init("a, b\n1, 2\n", SchemaInitMode::kTypesOnly)->toml, HasSubstr("trim_blanks = true"));
}

TEST(SchemaInit, RefusesFilesWithoutAProperHeader) {
  for (const char* csv : {"", "a,a\n", "a,\n", "a,b\n1\n", "caf\xe9\n"}) {
    EXPECT_FALSE(Init(csv, SchemaInitMode::kTypesOnly).ok()) << csv;
  }
  EXPECT_FALSE(Init("a\n", SchemaInitMode::kFromPrivateRows).ok()) << "no rows, so nothing to take values from";
  EXPECT_THAT(std::string(Init("a\ncaf\xe9\n", SchemaInitMode::kFromPrivateRows).status().message()),
              HasSubstr("UTF-8"));
}

}  // namespace
}  // namespace flaim
