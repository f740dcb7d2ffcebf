#include "app/request/value_match.h"

#include "data/schema/schema_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Schema TestSchema() {
  return *ParseSchema(R"(
[[column]]
name = "age"
type = "integer"
min = 20
max = 59
bin_width = 10

[[column]]
name = "sex"
type = "categorical"
values = ["F", "M", "x..y"]

[[column]]
name = "sex=2"
type = "categorical"
values = ["a", "b"]

[[column]]
name = "income"
type = "real"
min = 0
max = 100
bins = 4
nullable = true

[[column]]
name = "day"
type = "date"
min = "2025-01-01"
max = "2025-12-31"
bin = "month"
)",
                      "test.toml");
}

std::vector<std::uint32_t> Codes(const std::string& condition) {
  const auto evidence = ParseConditions(TestSchema(), {condition});
  EXPECT_TRUE(evidence.ok()) << evidence.status();
  return evidence.ok() ? evidence->front().allowed : std::vector<std::uint32_t>();
}

std::string Refusal(const std::string& condition) {
  return std::string(ParseConditions(TestSchema(), {condition}).status().message());
}

TEST(ValueMatch, AValueIsTheCodeThatTheDataWouldGet) {
  EXPECT_THAT(Codes("sex=M"), ElementsAre(1));
  EXPECT_THAT(Codes("age=37"), ElementsAre(1));
  EXPECT_THAT(Codes("income="), ElementsAre(4));
  EXPECT_THAT(Codes("day=2025-03-08"), ElementsAre(2));
}

TEST(ValueMatch, ARangeIsEveryBinThatItTouches) {
  EXPECT_THAT(Codes("age=37..50"), ElementsAre(1, 2, 3));
  EXPECT_THAT(Codes("income=20..30"), ElementsAre(0, 1));
  EXPECT_THAT(Codes("day=2025-02-28..2025-04-01"), ElementsAre(1, 2, 3));
}

TEST(ValueMatch, ARangeMayBeOpenOrReachBeyondTheBounds) {
  EXPECT_THAT(Codes("age=45.."), ElementsAre(2, 3));
  EXPECT_THAT(Codes("age=..29"), ElementsAre(0));
  EXPECT_THAT(Codes("age=0..1000"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Codes("income=60..1e9"), ElementsAre(2, 3));
}

TEST(ValueMatch, DotsInACategoryAreNoRange) {
  EXPECT_THAT(Codes("sex=x..y"), ElementsAre(2));
  EXPECT_THAT(Refusal("sex=F..M"), HasSubstr("'x..y'"));
}

TEST(ValueMatch, TheLongestColumnNameCounts) {
  const auto evidence = ParseConditions(TestSchema(), {"sex=2=b"});
  ASSERT_TRUE(evidence.ok());
  EXPECT_EQ(evidence->front().attribute, 2);
  EXPECT_THAT(evidence->front().allowed, ElementsAre(1));
}

TEST(ValueMatch, SeveralForOneColumnMeanAnyAndColumnsComeInOrder) {
  const auto evidence = ParseConditions(TestSchema(), {"sex=M", "age=25", "sex=F", "sex=M"});
  ASSERT_TRUE(evidence.ok());
  ASSERT_EQ(evidence->size(), 2U);
  EXPECT_EQ((*evidence)[0].attribute, 0);
  EXPECT_THAT((*evidence)[1].allowed, ElementsAre(0, 1));
}

TEST(ValueMatch, RefusalsSayWhatThereIs) {
  EXPECT_THAT(Refusal("sex"), HasSubstr("COLUMN=VALUE"));
  EXPECT_THAT(Refusal("agee=3"), HasSubstr("Did you mean 'age'"));
  EXPECT_THAT(Refusal("sex=f"), HasSubstr("'F', 'M'"));
  EXPECT_THAT(Refusal("age=60"), HasSubstr("from 20 to 59"));
  for (const char* empty : {"age=60..70", "age=1..3", "age=50..30", "age=..", "age=a..b"}) {
    EXPECT_THAT(Refusal(empty), HasSubstr("no value")) << empty;
  }
}

TEST(ValueMatch, KnowsWhichColumnsHaveBins) {
  const Schema schema = TestSchema();
  std::vector<bool> has_bins;
  for (const Column& column : schema.columns()) has_bins.push_back(HasBins(column));
  EXPECT_THAT(has_bins, ElementsAre(true, false, false, true, true));
}

}  // namespace
}  // namespace flaim
