#include "algorithms/choices/method_changes.h"

#include "algorithms/choices/choices_testing.h"
#include "algorithms/methods/presets.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

using Settings = std::vector<std::pair<std::string_view, ChoiceValue>>;

MethodChanges Changed(const std::string& preset, const Settings& settings) {
  MethodChanges changes(preset);
  for (const auto& [name, value] : settings) changes.Set(name, value);
  return changes;
}

std::string Refusal(const std::string& preset, const Settings& settings) {
  return std::string(MakeMethod(Changed(preset, settings)).status().message());
}

TEST(MethodChanges, KeepOneSettingOfAChoiceInTheOrderOfTheTable) {
  SeededRandomSource random(1, "settings");
  for (int repeat = 0; repeat < 100; ++repeat) {
    MethodChanges changes("aim");
    for (int i = 0; i < 30; ++i) {
      const Choice& choice = AllChoices()[random.NextBelow(AllChoices().size())];
      const ChoiceValue value = RandomValueOf(choice, random);
      changes.Set(choice.name, value);
      const ChoiceValue* found = changes.Find(choice.name);
      EXPECT_EQ(found == nullptr ? ChoiceValue(false) : *found, value) << choice.name;
    }
    for (std::size_t i = 1; i < changes.settings().size(); ++i) {
      EXPECT_LT(&changes.settings()[i - 1].choice(), &changes.settings()[i].choice());
    }
  }
}

TEST(MakeMethod, MakesEveryPresetAsItIs) {
  for (const Method& preset : AllMethods()) {
    const absl::StatusOr<Method> made = MakeMethod(MethodChanges(preset.name));
    ASSERT_TRUE(made.ok()) << made.status();
    for (const Choice& choice : AllChoices()) EXPECT_EQ(choice.get(*made), choice.get(preset)) << choice.name;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(MakeMethod(MethodChanges("strange")).status()));
  EXPECT_THAT(Refusal("flaim-onse", {}), HasSubstr("Did you mean 'flaim-once'"));
}

// Whatever is asked for in so many words is either done or refused.
TEST(MakeMethod, DoesWhatItTakes) {
  SeededRandomSource random(1, "changes");
  int taken = 0;
  for (int repeat = 0; repeat < 20'000; ++repeat) {
    MethodChanges changes(AllMethods()[random.NextBelow(AllMethods().size())].name);
    for (std::uint64_t i = random.NextBelow(4); i > 0; --i) {
      const Choice& choice = AllChoices()[random.NextBelow(AllChoices().size())];
      changes.Set(choice.name, RandomValueOf(choice, random));
    }
    const absl::StatusOr<Method> made = MakeMethod(changes);
    if (!made.ok()) continue;
    ++taken;
    for (const ChoiceSetting& setting : changes.settings()) {
      EXPECT_EQ(setting.choice().get(*made), setting.value()) << changes.preset << " " << setting.choice().name;
    }
  }
  EXPECT_GT(taken, 2'000);
}

TEST(MakeMethod, RefusesWhatAMethodHasNoUseFor) {
  EXPECT_THAT(Refusal("naive-flaim", {{"marginals", 5}}), HasSubstr("marginals has no use in naive-flaim"));
  EXPECT_THAT(Refusal("naive-flaim", {{"wait-for", 0.5}}), HasSubstr("membership pool"));
  EXPECT_THAT(Refusal("naive-flaim", {{"cap", 2}}), HasSubstr("accounting cap"));
  EXPECT_THAT(Refusal("naive-flaim", {{"local-stepping", "peel"}}), HasSubstr("local-steps"));
  EXPECT_THAT(Refusal("dist-aim", {{"cap", 2}, {"accounting", "cap"}}), HasSubstr("pool"));
  EXPECT_THAT(Refusal("dist-aim-once", {{"rounds", 5}}), HasSubstr("rounds"));
  EXPECT_THAT(Refusal("fed-naive-bayes", {{"rounds", 5}}), HasSubstr("rounds"));
  EXPECT_THAT(Refusal("flaim-random", {{"noise-penalty", 1}}), HasSubstr("noise-penalty"));
  EXPECT_THAT(Refusal("flaim-once", {{"penalty", "proxy"}}), HasSubstr("penalty"));
  EXPECT_THAT(Refusal("flaim-once", {{"as-published", true}}), HasSubstr("published"));
  EXPECT_THAT(Refusal("aim", {{"selection", "random"}}), HasSubstr("no clients"));
}

TEST(MakeMethod, RefusesChangesThatContradictEachOther) {
  EXPECT_THAT(Refusal("dist-aim", {{"rounds", 5}, {"anneal", 8}}), HasSubstr("contradict"));
  EXPECT_THAT(Refusal("flaim-once", {{"one-ways", "first"}}), HasSubstr("one-ways"));
  EXPECT_THAT(Refusal("flaim-once", {{"cap", 2}}), HasSubstr("accounting cap"));
  EXPECT_THAT(Refusal("flaim-once", {{"selection", "local"}}), HasSubstr("selection by sums"));
  EXPECT_THAT(Refusal("naive-flaim", {{"anneal", 8}, {"accounting", "cap"}}), HasSubstr("accounting paper"));
}

TEST(MakeMethod, SuitsTheRestOfFlaimOnceToItsRoundsUnlessItIsTold) {
  const auto once_of = [](const Settings& settings) {
    return std::get<ChooseThenMeasure>(MakeMethod(Changed("flaim-once", settings))->rounds);
  };
  EXPECT_EQ(once_of({{"rounds", 30}}).choosing_rounds, ChooseThenMeasure::For(30).choosing_rounds);
  EXPECT_EQ(once_of({{"rounds", 1}}).marginals, ChooseThenMeasure::For(1).marginals);
  EXPECT_EQ(once_of({{"marginals", 3}, {"rounds", 1}}).marginals, 3);
}

}  // namespace
}  // namespace flaim
