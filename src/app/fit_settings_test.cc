#include "app/fit_settings.h"

#include "algorithms/choices/choices_testing.h"
#include "algorithms/methods/presets.h"
#include "data/schema/schema_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Schema SmallSchema() {
  return *ParseSchema(R"(
[[column]]
name = "age"
type = "integer"
min = 0
max = 99

[[column]]
name = "sex"
type = "categorical"
values = ["F", "M"]
)",
                      "small.toml");
}

FitRequest Request(const std::string& preset = "") {
  FitRequest request;
  request.epsilon = 1;
  request.run.method.preset = preset;
  return request;
}

std::string Refusal(const FitRequest& request) {
  return std::string(MakeOneTableSettings(request, SmallSchema()).status().message());
}

TEST(MakeOneTableSettings, TakesAimUnlessToldOtherwise) {
  EXPECT_EQ(MakeOneTableSettings(Request(), SmallSchema())->plan.title, "aim");
  EXPECT_EQ(MakeOneTableSettings(Request("aim-paper"), SmallSchema())->plan.title, "aim-paper");
}

TEST(MakeOneTableSettings, KnowsWhatBecomesOfRowsThatDoNotFit) {
  FitRequest request = Request();
  const FitSettings refusing = MakeOneTableSettings(request, SmallSchema()).value();
  EXPECT_EQ(refusing.unfit, UnfitRule::kRefuse);
  request.unfit = "drop";
  const FitSettings dropping = MakeOneTableSettings(request, SmallSchema()).value();
  EXPECT_EQ(dropping.unfit, UnfitRule::kDrop);
  EXPECT_NE(RunNameOf(dropping, {}), RunNameOf(refusing, {})) << "other rows are another run";
  request.unfit = "other";
  EXPECT_THAT(Refusal(request), HasSubstr("column 'age' has no code"));
  request.unfit = "skip";
  EXPECT_THAT(Refusal(request), HasSubstr("unfit is 'skip', and must be refuse, other or drop"));
}

TEST(MakeOneTableSettings, RefusesWhatNeedsClients) {
  for (const Method& method : AllMethods()) {
    const absl::Status status = MakeOneTableSettings(Request(method.name), SmallSchema()).status();
    EXPECT_EQ(status.ok(), method.IsOneTable()) << status;
  }
  EXPECT_THAT(Refusal(Request("naive-flaim")), HasSubstr("naive-flaim needs clients"));
}

TEST(MakeOneTableSettings, TakesTheChoicesThatAreOpenToFitsAndNoOthers) {
  int open = 0;
  for (const Choice& choice : AllChoices()) {
    FitRequest request = Request("aim");
    request.run.method.Set(choice.name, SampleOf(choice));
    const absl::Status status = MakeOneTableSettings(request, SmallSchema()).status();
    EXPECT_EQ(status.ok(), IsOpenToFits(choice)) << choice.name << " " << status;
    open += IsOpenToFits(choice) ? 1 : 0;
  }
  EXPECT_GT(open, 3);
}

TEST(MakeOneTableSettings, SaysWhichSettingsALargerModelTakes) {
  FitRequest request = Request();
  request.model_cells = 10'000'000;
  EXPECT_THAT(Refusal(request), AllOf(HasSubstr("give model-cells 10000000 and memory"), HasSubstr("M")));
  request.model_cells = 101;
  EXPECT_THAT(Refusal(request), HasSubstr("give model-cells 102"));
}

TEST(MakeOneTableSettings, TakesWhatARefusalSaysWouldDo) {
  FitRequest request = Request();
  request.workload = "all:2";
  request.model_cells = 150;
  request.memory = "1M";
  EXPECT_THAT(Refusal(request), HasSubstr("give model-cells 200"));
  request.model_cells = 200;
  EXPECT_TRUE(MakeOneTableSettings(request, SmallSchema()).ok());
}

}  // namespace
}  // namespace flaim
