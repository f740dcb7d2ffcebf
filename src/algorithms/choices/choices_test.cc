#include "algorithms/choices/choices.h"

#include <set>

#include "algorithms/choices/choice_setting.h"
#include "algorithms/choices/choices_testing.h"
#include "algorithms/methods/presets.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Choices, HaveNamesOfTheirOwnAndAreFoundByThem) {
  std::set<std::string_view> names;
  for (const Choice& choice : AllChoices()) {
    EXPECT_TRUE(names.insert(choice.name).second) << choice.name;
    EXPECT_EQ(FindChoice(choice.name), &choice);
    EXPECT_EQ(FindField(FieldName(choice)), &choice);
    EXPECT_FALSE(choice.meaning.empty()) << choice.name;
    EXPECT_FALSE(choice.scope.in_words.empty()) << choice.name;
  }
  EXPECT_EQ(FindChoice("strange"), nullptr);
  EXPECT_EQ(FindField("one-ways"), nullptr);
}

TEST(Choices, AreReadFromAMethodAsTheyWereSet) {
  for (const Method& preset : AllMethods()) {
    for (const Choice& choice : AllChoices()) {
      for (const ChoiceValue& value : InsideOf(choice)) {
        Method method = preset;
        choice.set(method, value);
        const bool is_open = choice.name != "rounds" || choice.scope.includes(method);
        if (is_open && choice.get(method)) {
          EXPECT_EQ(choice.get(method), value) << preset.name << " " << choice.name;
        }
      }
    }
  }
}

TEST(Choices, HaveValuesOfTheirOwnKindInEveryPreset) {
  for (const Method& preset : AllMethods()) {
    for (const Choice& choice : AllChoices()) {
      const std::optional<ChoiceValue> value = choice.get(preset);
      if (!value) continue;
      EXPECT_THAT(ExplainMisfit(choice, *value), IsEmpty()) << preset.name << " " << choice.name;
      EXPECT_FALSE(MeaningOf(choice, *value).empty());
    }
  }
}

TEST(Choices, ApplySomewhereAndHaveAPlaceWhereverTheyApply) {
  for (const Choice& choice : AllChoices()) {
    int methods = 0;
    for (const Method& preset : AllMethods()) {
      Method method = preset;
      if (choice.name == "local-stepping") method.local_steps = 2;
      if (choice.name == "anneal") method.rounds = Annealed{};
      if (!AppliesTo(choice, method)) {
        EXPECT_THAT(WhyItHasNoUse(choice, method), HasSubstr(choice.name));
        continue;
      }
      ++methods;
      EXPECT_TRUE(choice.get(method).has_value()) << choice.name << " in " << method.name;
    }
    EXPECT_GT(methods, 0) << choice.name;
  }
}

TEST(ChoiceSetting, TakesWhatBelongsThereAndRefusesTheRestByName) {
  for (const Choice& choice : AllChoices()) {
    for (const ChoiceValue& value : InsideOf(choice)) {
      const absl::StatusOr<ChoiceSetting> setting = ChoiceSetting::Create(choice, value);
      ASSERT_TRUE(setting.ok()) << setting.status();
      EXPECT_EQ(setting->value(), value) << choice.name;
    }
    for (const ChoiceValue& value : OutsideOf(choice)) {
      const absl::Status status = ChoiceSetting::Create(choice, value).status();
      EXPECT_TRUE(absl::IsInvalidArgument(status)) << choice.name << " " << TextOf(value);
      EXPECT_THAT(std::string(status.message()), HasSubstr(choice.name));
      EXPECT_THAT(std::string(status.message()), HasSubstr(WhatBelongs(choice)));
    }
  }
}

TEST(ChoiceSetting, TakesNoNumberThatIsNone) {
  for (const double none : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const Choice& choice : AllChoices()) EXPECT_FALSE(ChoiceSetting::Create(choice, none).ok()) << choice.name;
  }
}

TEST(ChoiceSetting, TakesAWholeNumberForARealOne) {
  EXPECT_EQ(ChoiceSetting::Create(ChoiceNamed("noise-penalty"), 2)->value(), ChoiceValue(2.0));
  EXPECT_EQ(ChoiceSetting::Create(ChoiceNamed("anneal"), "8")->value(), ChoiceValue(8.0));
}

TEST(ValueOfText, IsTheValueThatWasWritten) {
  for (const Choice& choice : AllChoices()) {
    for (const ChoiceValue& value : InsideOf(choice)) {
      const auto* text = std::get_if<std::string>(&value);
      const std::string written =
          text != nullptr ? *text : std::visit([](const auto& each) { return fmt::format("{}", each); }, value);
      EXPECT_EQ(ValueOfText(choice, written), value) << choice.name << " " << written;
    }
    EXPECT_FALSE(ExplainMisfit(choice, ValueOfText(choice, "strange")).empty()) << choice.name;
  }
}

TEST(CheckMethod, RefusesANumberBeyondTheBoundsOfItsChoice) {
  for (const Method& preset : AllMethods()) {
    EXPECT_TRUE(CheckMethod(preset).ok()) << preset.name;
    for (const Choice& choice : AllChoices()) {
      if (std::holds_alternative<Names>(choice.kind)) continue;
      for (const ChoiceValue& value : OutsideOf(choice)) {
        Method method = preset;
        if (!choice.get(method) || value.index() != choice.get(method)->index()) continue;
        choice.set(method, value);
        if (choice.get(method) == choice.get(preset)) continue;
        EXPECT_THAT(std::string(CheckMethod(method).message()), HasSubstr(choice.name)) << preset.name;
      }
    }
  }
}

}  // namespace
}  // namespace flaim
