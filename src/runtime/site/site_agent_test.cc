#include "runtime/site/site_agent.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/site/site_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::IsEmpty;

SitesForTest ThreeSites() { return {ManifestForTest(PresetForTest("naive-flaim")), 3}; }

TEST(SiteAgent, SaysWhatItHasConsentedTo) {
  SitesForTest sites = ThreeSites();
  messages::SiteMessage hello;
  ASSERT_TRUE(hello.ParseFromString(sites.agent(0).Greeting()));
  const Digest& digest = sites.study().digest;
  EXPECT_EQ(hello.hello().manifest(), std::string(digest.begin(), digest.end()));
  EXPECT_EQ(hello.hello().software(), "flaim test");
}

TEST(SiteAgent, GivesNothingToACoordinatorWithAnotherManifest) {
  SitesForTest sites = ThreeSites();
  messages::CoordinatorMessage welcome;
  ASSERT_TRUE(welcome.ParseFromString(sites.Welcome()));
  std::string& manifest = *welcome.mutable_welcome()->mutable_manifest();
  manifest[manifest.find("a test")] = 'b';
  EXPECT_THAT(sites.agent(0).Receive(welcome.SerializeAsString()), IsEmpty());
  EXPECT_TRUE(absl::IsUnauthenticated(sites.agent(0).refusal()));
  SumForTest sum = sites.Begin(OneWays());
  EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::NOT_CONSENTED);
  ExpectNothingGiven(sites);
  EXPECT_FALSE(sites.site(0).records->pinned_roster());
}

TEST(SiteAgent, RefusesARosterThatIsNotSignedByItsCoordinator) {
  SitesForTest sites = ThreeSites();
  const std::string roster = Encode(sites.roster());
  messages::CoordinatorMessage unsigned_roster;
  ASSERT_TRUE(unsigned_roster.ParseFromString(sites.Welcome()));
  unsigned_roster.mutable_welcome()->clear_roster_signature();
  messages::CoordinatorMessage changed_roster;
  ASSERT_TRUE(changed_roster.ParseFromString(sites.Welcome()));
  StudyRoster changed = sites.roster();
  changed.sites[2] = "somebody-else";
  changed_roster.mutable_welcome()->set_roster(Encode(changed));
  for (const std::string& welcome : {unsigned_roster.SerializeAsString(), changed_roster.SerializeAsString(),
                                     sites.Welcome(roster, KeyForTest("site-1"))}) {
    EXPECT_THAT(sites.agent(0).Receive(welcome), IsEmpty());
    EXPECT_TRUE(absl::IsUnauthenticated(sites.agent(0).refusal()));
    EXPECT_FALSE(sites.site(0).records->pinned_roster());
  }
  SumForTest sum = sites.Begin(OneWays());
  EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::NOT_CONSENTED);
  ExpectNothingGiven(sites);
}

TEST(SiteAgent, RefusesARosterWithoutItselfWithAnotherKeyOrOfTooFew) {
  SitesForTest sites = ThreeSites();
  StudyRoster without = sites.roster();
  without.sites[0] = "site-7";
  StudyRoster other_key = sites.roster();
  other_key.keys[0] = KeyForTest("site-7").verifying_key();
  StudyRoster too_few = sites.roster();
  too_few.sites.pop_back();
  too_few.keys.pop_back();
  for (const StudyRoster& roster : {without, other_key, too_few}) {
    EXPECT_THAT(sites.agent(0).Receive(sites.Welcome(Encode(roster), KeyForTest("coordinator"))), IsEmpty());
    EXPECT_TRUE(absl::IsUnauthenticated(sites.agent(0).refusal()));
    EXPECT_FALSE(sites.site(0).records->pinned_roster());
  }
}

TEST(SiteAgent, KeepsToTheFirstRosterThatItSaw) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  StudyRoster larger = sites.roster();
  larger.sites.push_back("site-3");
  larger.keys.push_back(KeyForTest("site-3").verifying_key());
  for (int start = 0; start < 2; ++start, sites.Restart(0)) {
    EXPECT_THAT(sites.agent(0).Receive(sites.Welcome(Encode(larger), KeyForTest("coordinator"))), IsEmpty());
    EXPECT_TRUE(absl::IsUnauthenticated(sites.agent(0).refusal()));
    SumForTest sum = sites.Begin(OneWays());
    EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::NOT_CONSENTED);
    EXPECT_EQ(sites.site(0).records->pinned_roster(), Encode(sites.roster()));
  }
  ExpectNothingGiven(sites);
  sites.agent(0).Receive(sites.Welcome());
  EXPECT_TRUE(sites.agent(0).refusal().ok());
  SumForTest sum = sites.Begin(OneWays());
  EXPECT_TRUE(HasAnswered(sites.Ask(sum, 0)));
}

TEST(SiteAgent, NeedsNoSecondWelcomeAfterItWasStartedAgain) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  sites.Restart(0);
  SumForTest sum = sites.Begin(OneWays());
  EXPECT_TRUE(HasAnswered(sites.Ask(sum, 0)));
}

TEST(SiteAgent, RefusesASumBeforeItKnowsWhoTakesPart) {
  SitesForTest sites = ThreeSites();
  SumForTest sum = sites.Begin(OneWays());
  EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::CANNOT_ANSWER);
  EXPECT_THAT(sites.agent(0).Receive(sites.Welcome("", KeyForTest("coordinator"))), IsEmpty());
  EXPECT_TRUE(sites.agent(0).refusal().ok()) << "the study has not begun";
  EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::CANNOT_ANSWER);
  ExpectNothingGiven(sites);
}

TEST(SiteAgent, KnowsThatTheStudyIsOverWhenItIsTold) {
  SitesForTest sites = ThreeSites();
  EXPECT_FALSE(sites.agent(0).is_over());
  messages::CoordinatorMessage farewell;
  farewell.mutable_farewell();
  sites.agent(0).Receive(farewell.SerializeAsString());
  EXPECT_TRUE(sites.agent(0).is_over());
}

}  // namespace
}  // namespace flaim::runtime
