#include "algorithms/choices/method_words.h"

#include "algorithms/methods/presets.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::IsEmpty;

TEST(MethodWords, GiveAReasonForExactlyTheMethodsThatAreNotPrivate) {
  for (const Method& preset : AllMethods()) {
    for (const Choice& choice : AllChoices()) {
      const auto* names = std::get_if<Names>(&choice.kind);
      for (const NamedValue& value : names == nullptr ? std::vector<NamedValue>() : names->values) {
        Method method = preset;
        choice.set(method, std::string(value.name));
        EXPECT_EQ(ReasonsNotPrivate(method).empty(), IsPrivate(method)) << method.name << " " << value.name;
      }
    }
  }
}

TEST(MethodWords, FindNoChangesInAPresetAndNameThemInOthers) {
  for (const Method& method : AllMethods()) EXPECT_THAT(ChangesFromPreset(method), IsEmpty()) << method.name;
  Method method = FindMethod("naive-flaim").value();
  method.accounting = Accounting::kExact;
  method.participation_cap = 7;
  method.rounds = FixedRounds{23};
  EXPECT_EQ(ChangesFromPreset(method), "accounting exact, cap 7, rounds 23");
  EXPECT_EQ(ChosenText("accounting", method), "exact");
}

TEST(MethodWords, SayThatACentralMethodHoldsTheRowsOfEverybody) {
  for (const Method& method : AllMethods()) {
    const bool is_said_otherwise = method.IsOneTable() || !IsPrivate(method);
    EXPECT_EQ(TrustInWords(method) == ToString(TrustOf(method)), !is_said_otherwise) << method.name;
  }
}

}  // namespace
}  // namespace flaim
