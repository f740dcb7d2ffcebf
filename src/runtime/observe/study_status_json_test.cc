#include <cmath>
#include <string>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "runtime/observe/study_status_testing.h"

namespace flaim::runtime {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing_support::ExampleStatus;
using testing_support::RandomStatus;

std::string Refusal(const std::string& text) {
  const absl::StatusOr<StudyStatus> status = ParseStudyStatus(text);
  EXPECT_EQ(status.status().code(), absl::StatusCode::kInvalidArgument) << text.substr(0, 200);
  return std::string(status.status().message());
}

TEST(StudyStatusJson, SurvivesBeingWrittenAndRead) {
  SeededRandomSource random(7);
  for (int i = 0; i < 500; ++i) {
    const StudyStatus status = RandomStatus(random);
    const std::string text = ToJson(status);
    const absl::StatusOr<StudyStatus> read = ParseStudyStatus(text);
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
    ASSERT_EQ(*read, status) << text;
    ASSERT_EQ(ToJson(*read), text);
  }
}

TEST(StudyStatusJson, HasWordsForNumbersThatJsonDoesNotHave) {
  StudyStatus status;
  status.epsilon = INFINITY;
  status.delta = -INFINITY;
  status.share_spent = NAN;
  const absl::StatusOr<StudyStatus> read = ParseStudyStatus(ToJson(status));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->epsilon, INFINITY);
  EXPECT_EQ(read->delta, -INFINITY);
  EXPECT_TRUE(std::isnan(read->share_spent));
}

TEST(StudyStatusJson, ReplacesWhatIsNotUtf8) {
  StudyStatus status;
  status.study = "a\xFF";
  EXPECT_EQ(json::parse(ToJson(status))["study"], "a\xEF\xBF\xBD");
}

TEST(StudyStatusJson, RefusesEveryFieldThatIsMissingOrOfAnotherType) {
  const json whole = json::parse(ToJson(ExampleStatus(2)));
  const json flat = whole.flatten();
  int refused = 0;
  for (const auto& [pointer, value] : flat.items()) {
    if (pointer.find("/fields/") != std::string::npos || pointer.find("/chosen/") != std::string::npos) continue;
    const json::json_pointer place(pointer);
    json without = whole;
    without[place.parent_pointer()].erase(place.back());
    EXPECT_THAT(Refusal(without.dump()), HasSubstr(place.back()));
    for (const json& wrong : {json(json::array({1})), json("unheard of"), json(-1.5e300), json(true)}) {
      const bool is_word = place.back() == "phase" || place.back() == "level";
      if (wrong.type() == value.type() && !is_word) continue;
      json changed = whole;
      changed[place] = wrong;
      EXPECT_THAT(Refusal(changed.dump()), HasSubstr(place.back()));
    }
    ++refused;
  }
  EXPECT_GT(refused, 60);
}

TEST(StudyStatusJson, RefusesUnknownAndRepeatedFields) {
  json more = json::parse(ToJson(ExampleStatus(1)));
  more["sites"][0]["rows"] = 12;
  EXPECT_THAT(Refusal(more.dump()), HasSubstr("status.sites[0]"));
  std::string twice = ToJson(ExampleStatus(1));
  twice.insert(1, "\"study\":\"another\",");
  EXPECT_THAT(Refusal(twice), HasSubstr("twice"));
}

TEST(StudyStatusJson, RefusesNumbersThatDoNotFit) {
  const json whole = json::parse(ToJson(ExampleStatus(1)));
  for (const char* wrong : {"9223372036854775808", "-9223372036854775809", "1.0", "1e3", "null", "\"1\""}) {
    json changed = whole;
    changed["minimum_sites"] = json::parse(wrong);
    EXPECT_THAT(Refusal(changed.dump()), HasSubstr("minimum_sites")) << wrong;
  }
  json changed = whole;
  changed["sites"][0]["sent_bytes"] = -1;
  EXPECT_THAT(Refusal(changed.dump()), HasSubstr("status.sites[0].sent_bytes"));
}

TEST(StudyStatusJson, RefusesWhatIsNoJsonOrWasCutOff) {
  const std::string whole = ToJson(ExampleStatus(1));
  for (std::size_t size = 0; size < whole.size(); size += 7) Refusal(whole.substr(0, size));
  Refusal(whole + "x");
  Refusal(std::string(100'000, '['));
  for (const char* text : {"null", "[]", "{}", "3", "\"\"", "{\"study\":"}) Refusal(text);
}

}  // namespace
}  // namespace flaim::runtime
