#include "data/schema/schema_toml.h"

#include <fstream>
#include <iterator>

#include "base/seeded_random_source.h"
#include "data/schema/random_schema_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string ErrorOf(std::string_view toml) {
  const auto schema = ParseSchemaToml(toml, "s.toml");
  return schema.ok() ? "no error" : std::string(schema.status().message());
}

TEST(SchemaToml, ReadsBackEveryRandomSchemaItWrites) {
  SeededRandomSource random(5);
  for (int round = 0; round < 1000; ++round) {
    const Schema schema = RandomSchema(random);
    const std::string toml = FormatSchemaToml(schema, "two\nlines");
    const auto read = ParseSchemaToml(toml, "s.toml");
    ASSERT_TRUE(read.ok()) << read.status().message() << "\n" << toml;
    ASSERT_EQ(*read, schema) << toml;
    ASSERT_EQ(read->domain(), schema.domain());
    ASSERT_EQ(FormatSchemaToml(*read, "two\nlines"), toml);
  }
}

TEST(SchemaToml, ReadsEveryColumnType) {
  const auto schema = ParseSchemaToml(R"(
delimiter = ";"
missing = ["", "NA"]
drop = ["id"]
[[column]]
name = "color"
type = "categorical"
values = ["red", "green"]
other = "other"
[[column]]
name = "age"
type = "integer"
min = 0
max = 120
bin_width = 5
clamp = true
[[column]]
name = "income"
type = "real"
edges = [0, 0.5, 10]
nullable = true
[[column]]
name = "member"
type = "boolean"
[[column]]
name = "born"
type = "date"
min = 1900-01-01
max = "2020-12-31"
bin = "year"
format = "%d/%m/%Y"
[[column]]
name = "seen"
type = "datetime"
min = 2020-01-01T00:00:00
max = 2020-01-02
bins = 24
missing = ["never"]
)",
                                      "s.toml");
  ASSERT_TRUE(schema.ok()) << schema.status().message();
  EXPECT_EQ(schema->domain(),
            *Domain::Create({{"color", 3}, {"age", 25}, {"income", 3}, {"member", 2}, {"born", 121}, {"seen", 24}}));
  EXPECT_EQ(schema->spec().delimiter, ';');
  EXPECT_EQ(schema->spec().drop, std::vector<std::string>{"id"});
}

TEST(SchemaToml, ReadsTheExampleOfTheDocumentation) {
  std::ifstream file(std::string(FLAIM_SOURCE_DIR) + "/docs/SCHEMA.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string_view fence = "```toml\n";
  const std::size_t begin = page.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = page.find("```", begin + fence.size());
  const auto schema = ParseSchemaToml(page.substr(begin + fence.size(), end - begin - fence.size()), "docs/SCHEMA.md");
  ASSERT_TRUE(schema.ok()) << schema.status().message();
  EXPECT_EQ(
      schema->domain(),
      *Domain::Create(
          {{"color", 4}, {"age", 24}, {"income", 51}, {"dose", 4}, {"smoker", 2}, {"born", 125}, {"admitted", 8785}}));
}

TEST(SchemaToml, SuggestsTheNearestKeyForAnUnknownOne) {
  EXPECT_THAT(ErrorOf("[[column]]\nname = 'a'\ntype = 'categorical'\nvalue = ['x']"),
              AllOf(HasSubstr("s.toml:1: column 'a'"), HasSubstr("unknown key 'value'"), HasSubstr("mean 'values'")));
  EXPECT_THAT(ErrorOf("[[columns]]\nname = 'a'"), HasSubstr("Did you mean 'column'?"));
  EXPECT_THAT(ErrorOf("[[column]]\nname = 'a'\ntype = 'intger'"), HasSubstr("Did you mean 'integer'?"));
  EXPECT_THAT(ErrorOf("[[column]]\nname = 'a'\ntype = 'boolean'\nmin = 1"), HasSubstr("unknown key 'min'"));
  EXPECT_THAT(ErrorOf("[[column]]\nname='a'\ntype='real'\nedges=[0,1]\nbins=3"), HasSubstr("unknown key 'bins'"));
}

TEST(SchemaToml, SaysWhatBelongsIntoAField) {
  const std::string integer = "[[column]]\nname = 'a'\ntype = 'integer'\n";
  EXPECT_THAT(ErrorOf(integer + "min = 0"), HasSubstr("'max' is missing"));
  EXPECT_THAT(ErrorOf(integer + "min = '0'\nmax = 1"), HasSubstr("'min' must be a whole number"));
  EXPECT_THAT(ErrorOf(integer + "min = 3\nmax = 1"), HasSubstr("column 'a' has min 3 above max 1"));
  EXPECT_THAT(ErrorOf(integer + "min = 0\nmax = 1\nclamp = 'yes'"), HasSubstr("'clamp' must be true or false"));
  EXPECT_THAT(ErrorOf("[[column]]\nname='a'\ntype='categorical'\nvalues=[1]"), HasSubstr("put each value in quotes"));
  EXPECT_THAT(ErrorOf("[[column]]\nname='a'\ntype='date'\nmin='x'\nmax='y'"), HasSubstr("must be a date"));
  EXPECT_THAT(ErrorOf("[[column]]\nname='a'\ntype='real'\nmin=nan\nmax=1"), HasSubstr("finite"));
  EXPECT_THAT(ErrorOf("delimiter = ';;'"), HasSubstr("must be one character"));
  EXPECT_THAT(ErrorOf("drop = []"), HasSubstr("no columns"));
  EXPECT_THAT(ErrorOf("column = [1]"), HasSubstr("[[column]]"));
  EXPECT_THAT(ErrorOf("a = = 1"), HasSubstr("s.toml:1: not a TOML file"));
}

TEST(SchemaToml, NamesEverythingThatIsStillToBeFilledIn) {
  EXPECT_THAT(ErrorOf("[[column]]\nname = 'a'\ntype = 'integer'\nmin = 'FILL IN'\nmax = 'FILL IN'\n"
                      "[[column]]\nname = 'b'\ntype = 'categorical'\nvalues = 'FILL IN'\n"),
              HasSubstr("fill in the min and max of column 'a'; the values of column 'b'"));
}

TEST(SchemaToml, RefusesNestingThatWouldOverflowTheStack) {
  std::string keys;
  for (int i = 0; i < 200'000; ++i) keys += "a.";
  EXPECT_THAT(ErrorOf(keys + "a = 1"), HasSubstr("levels deep"));
  EXPECT_THAT(ErrorOf("a = " + std::string(200'000, '[')), HasSubstr("levels deep"));
}

TEST(SchemaToml, LimitsTheMemoryThatBinsCanTake) {
  std::string toml;
  for (int i = 0; i < 40; ++i) {
    toml +=
        fmt::format("[[column]]\nname = 'c{}'\ntype = 'real'\nmin = 0\nmax = 1\nbins = {}\n", i, kMaxCodesPerColumn);
  }
  EXPECT_THAT(ErrorOf(toml), HasSubstr("use fewer bins"));
}

}  // namespace
}  // namespace flaim
