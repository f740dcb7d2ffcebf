#include "datasets/value_groups.h"

#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSchema = R"([
  {"name": "pet", "type": "categorical", "values": ["cat", "cod", "dog", "eel"]},
  {"name": "age", "type": "numeric", "min": 0, "max": 32}])";

SchemaAndTable Pets() {
  Schema schema = ParseSchema(kSchema, "pets").value();
  Table table = ReadTable(StringSource("pets", "pet,age\ncod,1\ndog,2\neel,3\ncat,31\n"), schema).value();
  return {std::move(schema), std::move(table)};
}

TEST(ValueGroups, NumberTheGroupsInTheOrderGivenAndLeaveTheRestAlone) {
  const SchemaAndTable merged =
      MergeValues(Pets(), "pet", {{"fish", {"eel", "cod"}}, {"beast", {"cat", "dog"}}}).value();
  EXPECT_EQ(merged.schema.domain()[0].size, 2);
  EXPECT_EQ(std::get<CategoricalType>(merged.schema.spec().columns[0].type).spec().values,
            (std::vector<std::string>{"fish", "beast"}));
  const std::vector<std::uint32_t> expected = {0, 1, 0, 1};
  for (std::size_t row = 0; row < expected.size(); ++row) {
    EXPECT_EQ(merged.table.at(row, 0), expected[row]);
    EXPECT_EQ(merged.table.at(row, 1), Pets().table.at(row, 1));
  }
}

std::string RefusalOf(const std::string& column, const std::vector<ValueGroup>& groups) {
  const auto merged = MergeValues(Pets(), column, groups);
  EXPECT_TRUE(absl::IsInvalidArgument(merged.status()));
  return std::string(merged.status().message());
}

TEST(ValueGroups, RefuseWhatIsNoDivisionOfTheValues) {
  EXPECT_THAT(RefusalOf("pet", {{"fish", {"eel", "cod"}}, {"beast", {"cat"}}}), HasSubstr("'dog' is in no group"));
  EXPECT_THAT(RefusalOf("pet", {{"fish", {"eel", "cod", "dog"}}, {"beast", {"cat", "dog"}}}), HasSubstr("two groups"));
  EXPECT_THAT(RefusalOf("pet", {{"all", {"eel", "cod", "dog", "cat", "rat"}}}), HasSubstr("'rat'"));
  EXPECT_THAT(RefusalOf("age", {{"all", {"1"}}}), HasSubstr("not a plain list"));
  EXPECT_THAT(RefusalOf("toy", {{"all", {"1"}}}), HasSubstr("no column 'toy'"));
}

}  // namespace
}  // namespace flaim
