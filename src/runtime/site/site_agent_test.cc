#include "runtime/site/site_agent.h"

#include <cmath>

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

TEST(SiteAgent, AddsToNothingBeforeSomebodyHasConsentedToTheRoster) {
  SitesForTest sites = ThreeSites();
  sites.consent = {};
  sites.Restart(0);
  messages::CoordinatorMessage without_roster;
  ASSERT_TRUE(without_roster.ParseFromString(sites.Welcome()));
  without_roster.mutable_welcome()->clear_roster();
  for (int start = 0; start < 2; ++start, sites.Restart(0)) {
    (void)sites.agent(0).Receive(sites.Welcome());
    EXPECT_TRUE(absl::IsUnauthenticated(sites.agent(0).refusal()));
    EXPECT_TRUE(sites.site(0).records->pinned_roster()) << "it can be looked at";
    SumForTest sum = sites.Begin(OneWays());
    EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::NOT_CONSENTED);
    (void)sites.agent(0).Receive(without_roster.SerializeAsString());
    EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::NOT_CONSENTED)
        << "a welcome without one is no way around";
    ExpectNothingGiven(sites);
  }
  sites.consent.roster = DigestOfRoster(sites.study().digest, Encode(sites.roster()));
  sites.Restart(0);
  (void)sites.agent(0).Receive(sites.Welcome());
  EXPECT_TRUE(sites.agent(0).refusal().ok());
  SumForTest sum = sites.Begin(OneWays());
  EXPECT_TRUE(HasAnswered(sites.Ask(sum, 0)));
}

// Three sites, of which one may drop out: a share is half of the variance, and who counts on nobody draws it all. Sums
// of all three, 26 cells each, six standard errors: alpha 2e-9.
TEST(SiteAgent, DrawsTheNoiseOfThoseWhomItDoesNotKnow) {
  constexpr int kSums = 15;
  const Rational sigma_squared(1'000'000, 1);
  for (const std::optional<int> known : {std::optional<int>(), std::optional(1)}) {
    SitesForTest sites = ThreeSites();
    sites.consent.known = known;
    for (int site = 0; site < 3; ++site) sites.Restart(site);
    sites.WelcomeAll();
    double squares = 0;
    std::int64_t cells = 0;
    for (int number = 0; number < kSums; ++number) {
      SumForTest sum = sites.Begin(
          CountsForTest(1, fmt::format("pairs {}", number), {Clique({0, 1}), Clique({0, 2}), Clique({1, 2})}));
      const absl::StatusOr<secagg::SumOutcome> outcome = sites.Finish(sum);
      ASSERT_TRUE(outcome.ok()) << outcome.status();
      for (const secagg::BlockSum& block : outcome->blocks) {
        for (const std::int64_t count : block.counts)
          squares += static_cast<double>(count) * static_cast<double>(count);
        cells += std::ssize(block.counts);
      }
    }
    const double shares_each = known ? 2 : 1;  // the one that is known may be the one that drops out
    const double expected = 3 * shares_each / 2 * sigma_squared.ToDouble();
    EXPECT_NEAR(squares / static_cast<double>(cells) / expected, 1, 6 * std::sqrt(2.0 / static_cast<double>(cells)))
        << known.value_or(-1);
  }
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
  too_few.requests.pop_back();
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
  larger.requests.push_back(Sha256(AsBytes(std::string("site-3"))));
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
