#include "algorithms/federated/choice_names.h"

#include <set>

#include "algorithms/methods/presets.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <typename Value>
void ExpectNamesLeadBack() {
  std::set<Value> values;
  for (const std::string& name : NamesOf<Value>()) {
    const Value value = ValueNamed<Value>(name);
    EXPECT_EQ(ChoiceOf(value).name, name);
    EXPECT_TRUE(values.insert(value).second) << name << " is another name of something";
  }
}

TEST(ChoiceNames, LeadBackToTheirValues) {
  ExpectNamesLeadBack<Selection>();
  ExpectNamesLeadBack<Heterogeneity>();
  ExpectNamesLeadBack<OneWays>();
  ExpectNamesLeadBack<OneWayCandidates>();
  ExpectNamesLeadBack<Weighting>();
  ExpectNamesLeadBack<Membership>();
  ExpectNamesLeadBack<Accounting>();
  ExpectNamesLeadBack<LocalStepping>();
}

TEST(ChoiceNames, GiveAReasonForExactlyTheMethodsThatAreNotPrivate) {
  for (Method method : AllMethods()) {
    for (const auto& selection : ChoicesOf<Selection>()) {
      for (const auto& penalty : ChoicesOf<Heterogeneity>()) {
        for (const auto& weighting : ChoicesOf<Weighting>()) {
          for (const bool as_published : {false, true}) {
            method.selection = selection.value;
            method.heterogeneity = penalty.value;
            method.weighting = weighting.value;
            method.as_published = as_published;
            EXPECT_EQ(ReasonsNotPrivate(method).empty(), IsPrivate(method))
                << method.name << " " << selection.name << " " << penalty.name << " " << weighting.name;
          }
        }
      }
    }
  }
}

TEST(ChoiceNames, FindNoChangesInAPresetAndNameThemInOthers) {
  for (const Method& method : AllMethods()) EXPECT_THAT(ChangesFromPreset(method), IsEmpty()) << method.name;
  Method method = FindMethod("naive-flaim").value();
  method.accounting = Accounting::kExact;
  method.participation_cap = 7;
  method.rounds = FixedRounds{23};
  EXPECT_EQ(ChangesFromPreset(method), "accounting exact, cap 7, rounds 23");
  method.as_published = true;
  EXPECT_THAT(ChangesFromPreset(method), HasSubstr("as-published yes"));
}

TEST(ChoiceNames, SayThatACentralMethodHoldsTheRowsOfEverybody) {
  for (const Method& method : AllMethods()) {
    EXPECT_EQ(TrustInWords(method) == ToString(TrustOf(method)), !method.IsOneTable()) << method.name;
  }
}

}  // namespace
}  // namespace flaim
