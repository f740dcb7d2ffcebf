#include "data/schema/schema_file.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

std::string ErrorOf(std::string_view text) {
  const auto schema = ParseSchema(text, "s");
  return schema.ok() ? "no error" : std::string(schema.status().message());
}

TEST(SchemaFile, TellsJsonAndTomlApartByContent) {
  EXPECT_EQ(ParseSchema("{\"a\": 3}", "s")->domain(), *Domain::Create({{"a", 3}}));
  EXPECT_EQ(ParseSchema("\xef\xbb\xbf [ {\"name\":\"a\",\"type\":\"categorical\",\"values\":[\"x\"]} ]", "s")->domain(),
            *Domain::Create({{"a", 1}}));
  EXPECT_EQ(ParseSchema("[[column]]\nname='a'\ntype='boolean'", "s")->domain(), *Domain::Create({{"a", 2}}));
}

TEST(SchemaFile, KeepsTheOrderOfAnObjectsKeys) {
  const auto schema = ParseSchema("{\"zebra\": 2, \"ant\": 10000, \"mole\": 1}", "s");
  EXPECT_EQ(schema->domain(), *Domain::Create({{"zebra", 2}, {"ant", 10000}, {"mole", 1}}));
}

TEST(SchemaFile, ReadsNumericColumnsAsClampedRealsOverTheFullBounds) {
  const auto schema = ParseSchema(
      R"([{"name":"v","type":"numeric","min":1,"max":2,"full_min":0,"full_max":10},{"name":"k","type":"numeric","min":7,"max":7}])",
      "s");
  ASSERT_TRUE(schema.ok()) << schema.status().message();
  const ColumnSpec& column = schema->spec().columns[0];
  EXPECT_TRUE(column.clamp);
  EXPECT_EQ(std::get<UniformBins>(std::get<RealType>(column.type).spec().bins), (UniformBins{0, 10, 32}));
  EXPECT_EQ(schema->domain()[1].size, 1);
}

TEST(SchemaFile, RefusesJsonThatIsNotASchema) {
  EXPECT_THAT(ErrorOf("{\"a\": 0}"), HasSubstr("whole number of codes"));
  EXPECT_THAT(ErrorOf("{\"a\": -3}"), HasSubstr("whole number of codes"));
  EXPECT_THAT(ErrorOf("{\"a\": 1.5}"), HasSubstr("whole number of codes"));
  EXPECT_THAT(ErrorOf("{\"a\": [1]}"), HasSubstr("whole number of codes"));
  EXPECT_THAT(ErrorOf("{\"a\": 1, \"a\": 2}"), HasSubstr("two columns are named 'a'"));
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("no columns"));
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("no columns"));
  EXPECT_THAT(ErrorOf("{\"a\": 1"), HasSubstr("not a JSON file"));
  EXPECT_THAT(ErrorOf("[{\"name\":\"a\"}]"), HasSubstr("\"type\""));
  EXPECT_THAT(ErrorOf("[{\"name\":\"a\",\"type\":\"text\"}]"), HasSubstr("unknown type 'text'"));
  EXPECT_THAT(ErrorOf("[{\"name\":\"a\",\"type\":\"numeric\",\"min\":1}]"), HasSubstr("\"max\""));
  EXPECT_THAT(ErrorOf("[{\"name\":\"a\",\"type\":\"numeric\",\"min\":1,\"mx\":1}]"), HasSubstr("Did you mean 'max'?"));
  EXPECT_THAT(ErrorOf("[{\"name\":\"a\",\"type\":\"categorical\",\"values\":[1]}]"), HasSubstr("in quotes"));
  EXPECT_THAT(ErrorOf("[{} , 3]"), HasSubstr("entry 1"));
}

TEST(SchemaFile, RefusesAnEmptyOrHugeFile) {
  EXPECT_THAT(ErrorOf(" \n"), HasSubstr("empty"));
  EXPECT_THAT(ErrorOf(std::string(kMaxSchemaBytes + 1, ' ')), HasSubstr("larger than 8 MiB"));
}

TEST(SchemaFile, SurvivesDeeplyNestedJson) {
  EXPECT_THAT(ErrorOf("{\"a\":" + std::string(1'000'000, '[')), HasSubstr("not a JSON file"));
}

TEST(SchemaFile, SaysWhichFileIsMissing) {
  EXPECT_THAT(std::string(LoadSchema("no/such/schema.toml").status().message()), HasSubstr("no/such/schema.toml"));
}

}  // namespace
}  // namespace flaim
