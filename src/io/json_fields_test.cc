#include "io/json_fields.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Refusal(const absl::Status& status) {
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(ParseJsonStrictly, RefusesTheSameKeyTwiceInOneObjectAtAnyDepth) {
  for (const char* text :
       {R"({"a": 1, "a": 1})", R"([{"b": {"c": 1, "a": 2, "a": 3}}])", R"({"a": {}, "b": 0, "a": {}})"}) {
    EXPECT_THAT(Refusal(ParseJsonStrictly(text).status()), HasSubstr("'a'")) << text;
  }
  EXPECT_TRUE(ParseJsonStrictly(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})").ok());
}

TEST(ParseJsonStrictly, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "{} {}", "nan", "{'a': 1}", "[1,]", "\"\xff\""})
    Refusal(ParseJsonStrictly(text).status());
}

TEST(ParseJsonStrictly, KeepsTheOrderOfKeysWhenAsked) {
  EXPECT_EQ(ParseJsonStrictly<nlohmann::ordered_json>(R"({"b": 1, "a": 2})")->dump(), R"({"b":1,"a":2})");
}

TEST(JsonFields, ReadsEachKindOfFieldAndNoOther) {
  const nlohmann::json json = {
      {"text", "a"}, {"truth", true}, {"count", 3U}, {"real", JsonReal(-std::numeric_limits<double>::infinity())}};
  const absl::StatusOr<JsonFields> fields = JsonFields::Of(json, "here", {"text", "truth", "count", "real"});
  ASSERT_TRUE(fields.ok()) << fields.status();
  EXPECT_EQ(*fields->Text("text"), "a");
  EXPECT_EQ(*fields->Boolean("truth"), true);
  EXPECT_EQ(*fields->Count("count"), 3);
  EXPECT_EQ(*fields->Real("real"), -std::numeric_limits<double>::infinity());
  EXPECT_THAT(Refusal(fields->Text("count").status()), HasSubstr("here.count"));
  EXPECT_THAT(Refusal(fields->Count("truth").status()), HasSubstr("here.truth"));
  EXPECT_THAT(Refusal(fields->Boolean("text").status()), HasSubstr("here.text"));
  EXPECT_THAT(Refusal(fields->Real("text").status()), HasSubstr("here.text"));
}

TEST(JsonFields, WantExactlyTheirKeys) {
  const nlohmann::json json = {{"a", 1}, {"b", 2}};
  EXPECT_THAT(Refusal(JsonFields::Of(json, "here", {"a"}).status()), HasSubstr("'b'"));
  EXPECT_THAT(Refusal(JsonFields::Of(json, "here", {"a", "b", "c"}).status()), HasSubstr("'c'"));
  EXPECT_THAT(Refusal(JsonFields::Of(json["a"], "here", {}).status()), HasSubstr("object"));
}

TEST(JsonFields, ReadAListElementByElement) {
  const nlohmann::json json = {{"list", {1, 2}}};
  const auto read = [](const nlohmann::json& item, const std::string& where) -> absl::StatusOr<std::string> {
    return fmt::format("{} at {}", item.dump(), where);
  };
  const absl::StatusOr<JsonFields> fields = JsonFields::Of(json, "here", {"list"});
  EXPECT_THAT(*fields->List<std::string>("list", read), ElementsAre("1 at here.list[0]", "2 at here.list[1]"));
}

}  // namespace
}  // namespace flaim
