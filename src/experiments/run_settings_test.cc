#include "experiments/run_settings.h"

#include <gtest/gtest.h>

#include <set>

#include "algorithms/choices/choices_testing.h"
#include "algorithms/methods/presets.h"

namespace flaim {
namespace {

using testing::HasSubstr;

RunSettings Of(const std::string& dataset, const std::string& preset) {
  RunSettings settings;
  settings.dataset = dataset;
  settings.request.method.preset = preset;
  return settings;
}

void Set(RunSettings& settings, std::string_view name, const SettingValue& value) {
  ASSERT_TRUE(FindSetting(name).value()->set(settings, value)) << name;
}

// A value that the setting takes.
SettingValue Sample(std::string_view name) {
  if (const Choice* choice = FindChoice(name)) return SampleOf(*choice);
  static const std::map<std::string_view, SettingValue> samples = {
      {"dataset", "adult"},     {"partition", "label-skew"}, {"workload", "all:2"},
      {"preset", "flaim-once"}, {"availability", "turns"},   {"published-code", true},
      {"paper-fit", true},      {"classifier", true},        {"swap-rows", true},
      {"beta", 0.25},           {"participation", 0.25},     {"epsilon", 0.25},
      {"delta", 0.25}};
  const auto found = samples.find(name);
  return found == samples.end() ? SettingValue(std::int64_t{3}) : found->second;
}

nlohmann::ordered_json AsJson(const SettingValue& value) {
  return std::visit([](const auto& each) { return nlohmann::ordered_json(each); }, value);
}

TEST(RunSettings, ShowEverySettingAsItWasSet) {
  for (const Setting& setting : AllSettings()) {
    RunSettings settings;
    EXPECT_TRUE(setting.get(settings).is_null()) << setting.name;
    const SettingValue value = Sample(setting.name);
    ASSERT_TRUE(setting.set(settings, value)) << setting.name;
    EXPECT_EQ(setting.get(settings), AsJson(value)) << setting.name;
    EXPECT_EQ(ToJson(settings).size(), 1) << setting.name;
  }
}

TEST(RunSettings, RefuseAValueOfTheWrongKind) {
  for (const Setting& setting : AllSettings()) {
    RunSettings settings;
    EXPECT_FALSE(setting.set(settings, std::string())) << setting.name;
    const bool takes_truth = setting.belongs == "true or false";
    EXPECT_EQ(setting.set(settings, true), takes_truth) << setting.name;
    EXPECT_FALSE(setting.set(settings, std::int64_t{-1})) << setting.name;
    EXPECT_FALSE(setting.belongs.empty()) << setting.name;
  }
}

TEST(RunSettings, TakeAChoiceOfTheMethodWithinItsBoundsOnly) {
  for (const Choice& choice : AllChoices()) {
    const Setting& setting = *FindSetting(choice.name).value();
    EXPECT_THAT(setting.belongs, HasSubstr(WhatBelongs(choice)));
    for (const ChoiceValue& value : InsideOf(choice)) {
      RunSettings settings;
      EXPECT_TRUE(setting.set(settings, value)) << choice.name << " " << TextOf(value);
      EXPECT_EQ(setting.get(settings), AsJson(value)) << choice.name;
    }
    for (const ChoiceValue& value : OutsideOf(choice)) {
      RunSettings settings;
      EXPECT_FALSE(setting.set(settings, value)) << choice.name << " " << TextOf(value);
    }
  }
}

TEST(RunSettings, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Setting& setting : AllSettings()) EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
}

TEST(RunSettings, SuggestTheNearestNameForOneThatDoesNotExist) {
  EXPECT_THAT(std::string(FindSetting("epsilom").status().message()), HasSubstr("epsilon"));
}

TEST(Complete, FillsInWhatThePaperDoes) {
  const RunSettings settings = Complete(Of("adult", "augflaim-private")).value();
  EXPECT_EQ(settings.partition, Dealing::kClusters);
  EXPECT_EQ(settings.clients, 100);
  EXPECT_EQ(settings.epsilon, 1);
  EXPECT_EQ(settings.delta, 1e-5);
  EXPECT_EQ(settings.request.participation, 0.1);
  EXPECT_EQ(*settings.request.method.Find("rounds"), ChoiceValue(std::int64_t{10}));
  EXPECT_EQ(settings.workload, "random:64:3:0");
}

TEST(Complete, MakesRunsEqualThatDifferInNothingThatMatters) {
  RunSettings one = Of("adult", "aim");
  RunSettings other = Of("adult", "aim");
  Set(one, "participation", 0.5);
  Set(one, "clients", std::int64_t{7});
  Set(one, "partition", "iid");
  Set(one, "local-steps", std::int64_t{4});
  EXPECT_EQ(ToJson(Complete(one).value()), ToJson(Complete(other).value()));
}

TEST(Complete, KeepsWhatDecidesAboutTheRowsOfAGeneratedDataset) {
  RunSettings one = Of("synthfs", "aim");
  RunSettings other = one;
  Set(one, "beta", 3.0);
  Set(other, "beta", 2.0);
  EXPECT_NE(ToJson(Complete(one).value()), ToJson(Complete(other).value()));
}

TEST(Complete, KeepsBetaForLabelSkewOnly) {
  RunSettings settings = Of("adult", "dist-aim");
  Set(settings, "beta", 0.5);
  EXPECT_FALSE(Complete(settings)->beta.has_value());
  Set(settings, "partition", "label-skew");
  EXPECT_EQ(Complete(settings)->beta, 0.5);
}

TEST(Complete, TakesRoundsFromMethodsThatHaveNone) {
  RunSettings settings = Of("adult", "fed-naive-bayes");
  Set(settings, "rounds", std::int64_t{30});
  EXPECT_EQ(Complete(settings)->request.method.Find("rounds"), nullptr);
}

TEST(Complete, RefusesWhatCannotBeRun) {
  RunSettings skewed = Of("adult", "dist-aim");
  Set(skewed, "partition", "label-skew");
  EXPECT_THAT(std::string(Complete(skewed).status().message()), HasSubstr("beta"));
  RunSettings own = Of("adult", "dist-aim");
  Set(own, "partition", "own");
  EXPECT_THAT(std::string(Complete(own).status().message()), HasSubstr("does not come with clients"));
  RunSettings without_label = Of("synthfs", "dist-aim");
  Set(without_label, "partition", "label-skew");
  Set(without_label, "beta", 0.5);
  EXPECT_THAT(std::string(Complete(without_label).status().message()), HasSubstr("label"));
  RunSettings contradiction = Of("adult", "augflaim-private");
  Set(contradiction, "cap", std::int64_t{2});
  EXPECT_THAT(std::string(Complete(contradiction).status().message()), HasSubstr("cap"));
  EXPECT_FALSE(Complete(Of("adlut", "aim")).ok());
}

TEST(Complete, LeavesOnlyTheDataWhereThereIsNoMethod) {
  RunSettings settings = Of("adult", "");
  Set(settings, "epsilon", 3.0);
  Set(settings, "seed", std::int64_t{3});
  const nlohmann::ordered_json json = ToJson(Complete(settings).value());
  EXPECT_FALSE(json.contains("epsilon"));
  EXPECT_FALSE(json.contains("seed"));
  EXPECT_EQ(json["partition"], "clusters");
}

TEST(Complete, HasNothingToAnnealWhereTheMethodAnnealsByItself) {
  RunSettings told_so = Of("adult", "aim");
  Set(told_so, "rounds", "anneal");
  EXPECT_EQ(ToJson(Complete(told_so).value()), ToJson(Complete(Of("adult", "aim")).value()));
  EXPECT_EQ(PlanOf(Complete(told_so).value())->method, Aim());
}

TEST(PlanOf, AnnealsFromThePapersNumberOfRounds) {
  for (const auto& [preset, rounds_per_attribute] : {std::pair("aim-paper", 16.0), std::pair("dist-aim", 8.0)}) {
    RunSettings settings = Of("adult", preset);
    Set(settings, "rounds", "anneal");
    const RunPlan plan = PlanOf(Complete(settings).value()).value();
    EXPECT_EQ(std::get<Annealed>(plan.method.rounds).rounds_per_attribute, rounds_per_attribute) << preset;
  }
}

// What the paper's experiments compare with.
TEST(PlanOf, HasThePapersConstantsForItsAimWithAnyNumberOfRounds) {
  for (const SettingValue& rounds : {SettingValue(std::int64_t{10}), SettingValue("anneal")}) {
    RunSettings settings = Of("adult", "aim-paper");
    ASSERT_TRUE(FindSetting("rounds").value()->set(settings, rounds));
    const Method method = PlanOf(Complete(settings).value())->method;
    EXPECT_EQ(method.noise_penalty, 1);
    EXPECT_EQ(method.improvement_threshold, 1);
    EXPECT_EQ(method.selection_share, 0.1);
  }
}

}  // namespace
}  // namespace flaim
