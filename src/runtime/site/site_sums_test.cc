// The part of a site in sums: site_agent.h and sum_answer.h.

#include <chrono>
#include <numeric>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/site/site_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Manifest With(const std::string& preset) { return ManifestForTest(PresetForTest(preset)); }

SitesForTest ThreeSites(const std::string& preset = "naive-flaim") { return {With(preset), 3}; }

Manifest WithSummedScores() {
  MethodChanges method = PresetForTest("flaim-once");
  method.Set("selection", "summed-scores");
  method.Set("accounting", "cap");
  return ManifestForTest(std::move(method));
}

TEST(SiteAgent, TakesPartInSumsOfEveryKindThatItsMethodHas) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  SumForTest counts = sites.Begin(OneWays());
  const secagg::SumOutcome outcome = sites.Finish(counts).value();
  EXPECT_THAT(outcome.contributors, SizeIs(3));
  EXPECT_THAT(outcome.blocks, SizeIs(3));

  const Model model = ModelForTest(sites.study().domain(), sites.parallel());
  SumForTest local = sites.Begin(LocalForTest(model, 2));
  const std::vector<std::int64_t> ballots = sites.Finish(local).value().blocks[0].counts;
  EXPECT_EQ(std::accumulate(ballots.begin(), ballots.end(), std::int64_t{0}), 3) << "each chose one, and no noise";
  EXPECT_EQ(sites.agent(1).RoundsServed(), 2);
}

// Each adds to what it chose, and zeros elsewhere.

TEST(SiteAgent, AddsItsCountsOnlyToWhatItChose) {
  SitesForTest sites = ThreeSites("flaim-random");
  sites.WelcomeAll();
  SumForTest random = sites.Begin(RandomForTest(1));
  const std::vector<std::int64_t> choosers = sites.Finish(random).value().blocks[0].counts;
  SumRequest request = CountsForTest(1, "chosen 1", {Clique({0, 1}), Clique({0, 2}), Clique({1, 2})});
  auto& counts = std::get<CountsRequest>(request.body);
  counts.contributors = Contributors::kChoosers;
  counts.sigma_squared = Rational(100, 1);
  SumForTest sum = sites.Begin(request);
  const secagg::SumOutcome outcome = sites.Finish(sum).value();
  for (std::size_t block = 0; block < 3; ++block) {
    const std::vector<std::int64_t>& noisy = outcome.blocks[block].counts;
    const double rows = static_cast<double>(std::accumulate(noisy.begin(), noisy.end(), std::int64_t{0}));
    // Standard deviation of the noise in the sum of 12 cells or fewer, with a surplus of a half: below 50.
    EXPECT_NEAR(rows, 20.0 * static_cast<double>(choosers[block]), 300) << block;
  }
  for (int site = 0; site < 3; ++site) EXPECT_EQ(sites.site(site).rows->asked, 1) << "it was counted what was chosen";
}

// What is counted, or worked out of a model, can take hours.
TEST(SiteAgent, EndsWithinASumThatItIsAskedToLeaveAndPaysForNothing) {
  for (const bool scores : {false, true}) {
    SitesForTest sites = scores ? SitesForTest(WithSummedScores(), 3) : ThreeSites();
    sites.WelcomeAll();
    const Model model = ModelForTest(sites.study().domain(), sites.parallel());
    SumForTest sum = sites.Begin(scores ? ScoresForTest(model, 1) : OneWays());
    sites.RunStage(sum);  // all have joined
    sites.is_stopping = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // a team asks twenty times a second
    EXPECT_FALSE(sites.Finish(sum).ok());
    ExpectNothingGiven(sites);
  }
}

// What the first site says to an offer of the coordinator on these terms.

std::vector<messages::SiteMessage> Offered(SitesForTest& sites, const secagg::SessionTerms& terms) {
  static int sessions = 1000;
  const secagg::SessionId session = SessionForTest(++sessions);
  secagg::Offer offer{.deadline_unix_ms = std::numeric_limits<std::int64_t>::max(), .terms = terms};
  offer.signature = KeyForTest("coordinator").Sign(secagg::DigestOf(session, offer));
  const Bytes message = secagg::Encode(session, offer);
  messages::CoordinatorMessage out;
  out.mutable_sum()->set_session(session.data(), session.size());
  out.mutable_sum()->set_message(message.data(), message.size());
  out.mutable_sum()->set_request(Encode(OneWays()).request);
  return SitesForTest::Read(sites.agent(0).Receive(out.SerializeAsString()));
}

TEST(SiteAgent, RefusesTermsThatAreNotThoseOfTheManifest) {
  SitesForTest sites(With("naive-flaim"), 4);
  sites.WelcomeAll();
  const secagg::SessionTerms right = sites.TermsOf(OneWays(), 4);
  secagg::SessionTerms less_noise = right;
  for (secagg::Block& block : less_noise.blocks) block.sigma_squared = Rational(999'999, 1);
  secagg::SessionTerms without_hair = right;
  for (secagg::Block& block : without_hair.blocks) block.sigma_squared = Rational(1'000'000, 1);
  secagg::SessionTerms other_roster = right;
  other_roster.roster[0] ^= 1;
  secagg::SessionTerms other_model = right;
  other_model.model[0] ^= 1;
  secagg::SessionTerms other_request = right;
  other_request.workload[0] ^= 1;
  secagg::SessionTerms exact = right;
  for (secagg::Block& block : exact.blocks) block.sigma_squared = Rational(0, 1);
  for (const secagg::SessionTerms& terms :
       {less_noise, without_hair, other_roster, other_model, other_request, exact}) {
    EXPECT_EQ(ReasonIn(Offered(sites, terms)), messages::Refusal::NOT_AGREED);
  }
  ExpectNothingGiven(sites);
  EXPECT_TRUE(HasAnswered(Offered(sites, right)));
}

TEST(SiteAgent, RefusesASumOfFewerSitesThanTheManifestPromises) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  secagg::SessionTerms terms = sites.TermsOf(OneWays(), 3);
  terms.bounds = {.invited = 2, .dropouts = 0, .colluders = 0};
  terms.graph = secagg::ChooseGraph(terms.bounds).value();
  terms.committee = secagg::ChooseCommittee(terms.bounds).value();
  SumForTest sum = sites.Begin(OneWays(), terms, {0, 1});
  EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::NOT_AGREED);
  ExpectNothingGiven(sites);
}

TEST(SiteAgent, RefusesARequestThatIsNotTheOneOfTheOffer) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  SumForTest sum = sites.Begin(OneWays());
  sum.request = Encode(CountsForTest(1, "one-ways", {Clique({0}), Clique({1})}));
  EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::NOT_AGREED);
  ExpectNothingGiven(sites);
}

TEST(SiteAgent, SaysWhichOfItsLimitsWasReachedAndNothingElse) {
  MethodChanges method = PresetForTest("naive-flaim");
  method.Set("accounting", "cap");
  method.Set("rounds", 5);
  SitesForTest sites(ManifestForTest(method), 3);
  sites.WelcomeAll();
  SumForTest first = sites.Begin(OneWays(1));
  ASSERT_TRUE(sites.Finish(first).ok());
  SumRequest dear = CountsForTest(1, "dear", {Clique({0})});
  std::get<CountsRequest>(dear.body).sigma_squared = Rational(1, 1);
  const std::pair<SumRequest, messages::Refusal::Reason> cases[] = {{OneWays(2), messages::Refusal::CAP},
                                                                    {dear, messages::Refusal::BUDGET},
                                                                    {RandomForTest(1), messages::Refusal::NOT_AGREED}};
  for (const auto& [request, reason] : cases) {
    SumForTest sum = sites.Begin(request);
    messages::SiteMessage expected;
    expected.mutable_refusal()->set_session(sum.session.data(), sum.session.size());
    expected.mutable_refusal()->set_reason(reason);
    EXPECT_THAT(sites.agent(0).Receive(sites.MessageFor(sum, 0)), testing::ElementsAre(expected.SerializeAsString()));
  }
}

// Runs the sum up to each of its messages, and asks for that one again.

TEST(SiteAgent, AnswersAMessageThatComesAgainWithTheSameBytes) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  SumForTest sum = sites.Begin(OneWays());
  while (!sum.server->IsOver()) {
    const std::string message = sites.MessageFor(sum, 0);
    const std::vector<std::string> first = sites.agent(0).Receive(message);
    EXPECT_THAT(first, SizeIs(1));
    EXPECT_EQ(sites.agent(0).Receive(message), first);
    sites.RunStage(sum);
  }
  EXPECT_TRUE(sum.server->outcome().ok());
  EXPECT_EQ(sites.site(0).rows->asked, 3) << "each marginal was counted once";
  EXPECT_EQ(sites.site(0).ledger->spent(), CostOf(MechanismOf(std::get<CountsRequest>(OneWays().body))));
}

TEST(SiteAgent, NeverAnswersASessionAgainAfterItWasStartedAgain) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  SumForTest sum = sites.Begin(OneWays());
  const std::string offer = sites.MessageFor(sum, 0);
  sites.RunStage(sum);
  const std::string keys = sites.MessageFor(sum, 0);
  sites.Restart(0);
  EXPECT_TRUE(ReasonIn(SitesForTest::Read(sites.agent(0).Receive(offer))).has_value());
  EXPECT_EQ(ReasonIn(SitesForTest::Read(sites.agent(0).Receive(keys))), messages::Refusal::CANNOT_ANSWER)
      << "so that nobody waits for it";
  ExpectNothingGiven(sites);
}

TEST(SiteAgent, GoesOnWithItsSumWhenAnOldOfferComesLate) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  SumForTest old = sites.Begin(OneWays(1));
  const std::string late = sites.MessageFor(old, 0);
  ASSERT_TRUE(sites.Finish(old).ok());
  SumForTest current = sites.Begin(OneWays(2));
  sites.RunStage(current);
  EXPECT_FALSE(HasAnswered(SitesForTest::Read(sites.agent(0).Receive(late))));
  const absl::StatusOr<secagg::SumOutcome> outcome = sites.Finish(current);
  ASSERT_TRUE(outcome.ok());
  EXPECT_THAT(outcome->contributors, SizeIs(3));
}

TEST(SiteAgent, LeavesMessagesAloneThatAreNoneOrOfTheWrongKind) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  SumForTest sum = sites.Begin(OneWays());
  ASSERT_TRUE(HasAnswered(sites.Ask(sum, 0)));
  const std::vector<messages::SiteMessage> of_a_site = sites.Ask(sum, 1);
  ASSERT_TRUE(HasAnswered(of_a_site));
  messages::CoordinatorMessage of_the_client_kind;
  *of_the_client_kind.mutable_sum() = of_a_site[0].sum();
  EXPECT_THAT(sites.agent(0).Receive(of_the_client_kind.SerializeAsString()), IsEmpty());
  EXPECT_THAT(sites.agent(0).Receive("\xff\xff nonsense"), IsEmpty());
  EXPECT_THAT(sites.agent(0).Receive(""), IsEmpty());
  messages::CoordinatorMessage short_session;
  short_session.mutable_sum()->set_session("short");
  EXPECT_THAT(sites.agent(0).Receive(short_session.SerializeAsString()), IsEmpty());
  sites.Ask(sum, 2);
  sum.server->CloseStage();
  ++sum.stage;
  const absl::StatusOr<secagg::SumOutcome> outcome = sites.Finish(sum);
  ASSERT_TRUE(outcome.ok());
  EXPECT_THAT(outcome->contributors, SizeIs(3)) << "nothing of it did any harm";
}

// The number of rows with a rare value, and an error of the database that quotes a value.

TEST(SiteAgent, LogsNothingOfItsRows) {
  SitesForTest sites = ThreeSites();
  sites.WelcomeAll();
  sites.site(0).rows->trouble = absl::InvalidArgumentError("invalid input syntax: \"canary-4711\"");
  SumForTest sum = sites.Begin(OneWays());
  sites.RunStage(sum);
  sites.RunStage(sum);
  EXPECT_EQ(ReasonIn(sites.Ask(sum, 0)), messages::Refusal::CANNOT_ANSWER);
  for (const int code : {3, 5, 6, 7, 8, 9, 11, 13, 14}) {
    sites.site(1).rows->trouble = absl::Status(static_cast<absl::StatusCode>(code), "the server went away");
    SumForTest failing = sites.Begin(OneWays(1 + code));
    sites.RunStage(failing);
    sites.RunStage(failing);
    EXPECT_EQ(ReasonIn(sites.Ask(failing, 1)), messages::Refusal::CANNOT_ANSWER) << code;
  }
  EXPECT_THAT(sites.logs(), HasSubstr("the server went away"));
  EXPECT_THAT(sites.logs(), HasSubstr("asked for a sum"));
  EXPECT_THAT(sites.logs(), Not(HasSubstr("canary")));
}

TEST(SiteAgent, LogsNoCount) {
  Manifest manifest = With("naive-flaim");
  manifest.max_rows_per_site = 100'000'000;
  SitesForTest sites(manifest, 3);
  sites.WelcomeAll();
  sites.site(0).rows->canary = 7'654'321;
  SumForTest sum = sites.Begin(OneWays());
  const secagg::SumOutcome outcome = sites.Finish(sum).value();
  EXPECT_GT(outcome.blocks[0].counts[0], 7'000'000) << "the canary has gone where it belongs";
  EXPECT_THAT(sites.logs(), Not(HasSubstr("7654321")));
}

}  // namespace
}  // namespace flaim::runtime
