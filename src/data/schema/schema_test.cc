#include "data/schema/schema.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

ColumnSpec Number(std::string name, bool nullable = false) {
  return {std::move(name), *IntegerType::Create({0, 9, {}, {}}), nullable, false, std::nullopt};
}

ColumnSpec Word(std::string name, std::vector<std::string> values) {
  return {std::move(name), *CategoricalType::Create({std::move(values), {}}), false, false, std::nullopt};
}

SchemaSpec Spec(std::vector<ColumnSpec> columns) {
  SchemaSpec spec;
  spec.columns = std::move(columns);
  return spec;
}

TEST(Schema, DomainCountsTheCodeForMissingValues) {
  const Schema schema = *Schema::Create(Spec({Number("a"), Number("b", true)}));
  EXPECT_EQ(schema.domain(), *Domain::Create({{"a", 10}, {"b", 11}}));
}

TEST(Schema, RefusesRepeatedAndContradictoryNames) {
  EXPECT_THAT(Schema::Create(Spec({Number("a"), Number("a")})).status().message(),
              HasSubstr("two columns are named 'a'"));
  SchemaSpec spec = Spec({Number("a")});
  spec.drop = {"a"};
  EXPECT_THAT(Schema::Create(spec).status().message(), HasSubstr("keep it or drop it"));
  EXPECT_THAT(Schema::Create(SchemaSpec()).status().message(), HasSubstr("no columns"));
}

TEST(Schema, RefusesDelimitersThatMeanSomethingElse) {
  for (const char delimiter : {'"', '\n', '\r', '\0', '\xe9'}) {
    SchemaSpec spec = Spec({Number("a")});
    spec.delimiter = delimiter;
    EXPECT_FALSE(Schema::Create(spec).ok());
  }
}

TEST(Schema, RefusesTextsThatTrimmingWouldMakeUnreachable) {
  SchemaSpec spec = Spec({Word("a", {"x", " y"})});
  EXPECT_TRUE(Schema::Create(spec).ok());
  spec.trim_blanks = true;
  EXPECT_THAT(Schema::Create(spec).status().message(), HasSubstr("' y' starts or ends with a blank"));
}

TEST(Schema, LimitsTheCodesOverAllColumns) {
  std::vector<ColumnSpec> columns;
  const ColumnType large = *IntegerType::Create({0, kMaxCodesPerColumn - 1, kMaxCodesPerColumn, {}});
  for (int i = 0; i < 17; ++i) columns.push_back({fmt::format("c{}", i), large, false, false, std::nullopt});
  EXPECT_THAT(Schema::Create(Spec(columns)).status().message(), HasSubstr("fewer bins"));
}

TEST(TrimBlanks, TakesBlanksOffBothEndsOnly) {
  EXPECT_EQ(TrimBlanks(" \ta b\t "), "a b");
  EXPECT_EQ(TrimBlanks(" \t"), "");
  EXPECT_EQ(TrimBlanks("a\n"), "a\n");
}

}  // namespace
}  // namespace flaim
