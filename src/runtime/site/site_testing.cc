#include "runtime/site/site_testing.h"

#include <unistd.h>

#include <filesystem>

#include "base/check.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"
#include "model/inference/clique_layout.h"
#include "runtime/site/site_ledger.h"
#include "runtime/study/sum_terms.h"

namespace flaim::runtime {
namespace {

constexpr const char* kRun = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const Rational kCheapNoise(1'000'000, 1);

std::vector<Clique> Pairs() { return {Clique({0, 1}), Clique({0, 2}), Clique({1, 2})}; }

// With the weights of the workload all:2: a pair has two attributes in common with itself, and one with each other.
std::vector<WeightedQuery> WeightedPairs() {
  std::vector<WeightedQuery> queries;
  for (const Clique& clique : Pairs()) queries.push_back({clique, 2 + 1 + 1});
  return queries;
}

}  // namespace

ScratchFolder::ScratchFolder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = fmt::format("{}-{}-{}", test->test_suite_name(), test->name(), ::getpid());
  std::replace(name.begin(), name.end(), '/', '-');
  path_ = testing::TempDir() + "flaim-" + name;
  std::filesystem::remove_all(path_);
  std::filesystem::create_directories(path_);
}

ScratchFolder::~ScratchFolder() { std::filesystem::remove_all(path_); }

secagg::SessionId SessionForTest(int number) { return Sha256(AsBytes(fmt::format("session {}", number))); }

SumRequest CountsForTest(std::int64_t round, const std::string& query, std::vector<Clique> cliques) {
  return {.body = CountsRequest{{kRun, round, query}, std::move(cliques), kCheapNoise}};
}

SumRequest OneWays(std::int64_t round) {
  return CountsForTest(round, "one-ways", {Clique({0}), Clique({1}), Clique({2})});
}

SumRequest ScoresForTest(const Model& model, std::int64_t round) {
  ScoresRequest scores;
  scores.name = {kRun, round, "scores"};
  scores.candidates = Pairs();
  scores.sigma_squared = Rational(Rational::kMaxTerm - 1, 1);
  scores.model = ModelView(model);
  return {.body = std::move(scores)};
}

SumRequest LocalForTest(const Model& model, std::int64_t round) {
  LocalSelection local;
  local.name = {kRun, round, "select"};
  local.candidates = WeightedPairs();
  local.penalty_records.assign(3, 0);
  local.epsilon = Rational(1, 100);
  local.model = ModelView(model);
  return {.body = std::move(local)};
}

SumRequest RandomForTest(std::int64_t round) {
  RandomSelection random;
  random.name = {kRun, round, "select"};
  random.candidates = WeightedPairs();
  return {.body = std::move(random)};
}

Model ModelForTest(const Domain& domain, Parallel& parallel) {
  const std::vector<Clique> cliques = {Clique({0, 1}), Clique({2})};
  std::vector<double> potentials;
  for (int cell = 0; cell < 3 * 2 + 4; ++cell) potentials.push_back(0.1 * cell);
  return Model::Create(domain, cliques, potentials, 100, 1000, parallel).value();
}

absl::StatusOr<CliqueCounts> RowsForTest::Count(std::span<const Clique> cliques, Parallel& parallel) {
  ++asked;
  if (!trouble.ok()) return trouble;
  absl::StatusOr<CliqueCounts> counts = rows_.Count(cliques, parallel);
  for (std::size_t i = 0; canary != 0 && i < cliques.size(); ++i) counts->Mutable(i).front() = canary;
  return counts;
}

absl::StatusOr<ShareDistance> RowsForTest::Distance(const Clique& clique, const PublicShares& shares) {
  ++asked;
  if (!trouble.ok()) return trouble;
  return rows_.Distance(clique, shares);
}

SitesForTest::SitesForTest(const Manifest& manifest, int sites)
    : manifest_(manifest),
      signed_(Sign(manifest, KeyForTest("coordinator"))),
      study_(OpenStudy(signed_).value()),
      clock_(std::chrono::system_clock::time_point(std::chrono::hours(500'000))),
      log_(logs_, LogFormat::kJson, clock_),
      coordinator_(KeyForTest("coordinator")),
      sites_(static_cast<std::size_t>(sites)) {
  for (int site = 0; site < sites; ++site) {
    named_.sites.push_back(fmt::format("site-{}", site));
    keys_.push_back(KeyForTest(named_.sites.back()));
    named_.keys.push_back(keys_.back().verifying_key());
    named_.requests.push_back(Sha256(AsBytes(named_.sites.back())));
    SeededRandomSource random(static_cast<std::uint64_t>(site), "rows");
    tables_.push_back(
        testing_tables::TableOf(study_.domain(), testing_tables::RandomRows(study_.domain(), 20, random)));
  }
  roster_ = secagg::Roster::Make(manifest.server, named_.keys).value();
  for (int site = 0; site < sites; ++site) Start(site);
}

void SitesForTest::Start(int site) {
  SiteForTest& starting = sites_[static_cast<std::size_t>(site)];
  starting.rows = std::make_unique<RowsForTest>(tables_[static_cast<std::size_t>(site)]);
  starting.ledger.emplace(Ledger::OpenOrCreate(folder_ / fmt::format("{}.ledger", site),
                                               SiteLedgerTerms(study_, fmt::format("site {}", site)), clock_,
                                               FollowingPlanOf(study_))
                              .value());
  starting.records.emplace(SiteRecords::Open(folder_ / fmt::format("{}.log", site), study_.domain()).value());
  starting.agent = std::make_unique<SiteAgent>(
      SiteParts{.name = named_.sites[static_cast<std::size_t>(site)],
                .software = "flaim test",
                .study = study_,
                .consent = consent,
                .signing_key = keys_[static_cast<std::size_t>(site)],
                .rows = *starting.rows,
                .ledger = *starting.ledger,
                .records = *starting.records,
                .clock = clock_,
                .noise = [](const std::string& label) { return std::make_unique<SeededRandomSource>(1, label); },
                .log = log_,
                .parallel = parallel_});
}

void SitesForTest::Restart(int site) {
  SiteForTest& stopping = sites_[static_cast<std::size_t>(site)];
  stopping.agent.reset();
  stopping.records.reset();
  stopping.ledger.reset();
  Start(site);
}

std::string SitesForTest::Welcome(const std::string& roster, const secagg::SigningKey& signer) const {
  messages::CoordinatorMessage out;
  messages::Welcome& welcome = *out.mutable_welcome();
  welcome.set_manifest(signed_.text);
  welcome.set_manifest_signature(signed_.signature.data(), signed_.signature.size());
  if (!roster.empty()) {
    const secagg::Signature signature = signer.Sign(DigestOfRoster(study_.digest, roster));
    welcome.set_roster(roster);
    welcome.set_roster_signature(signature.data(), signature.size());
  }
  return out.SerializeAsString();
}

void SitesForTest::WelcomeAll() {
  for (SiteForTest& site : sites_) CHECK(site.agent->Receive(Welcome()).empty());
}

secagg::SessionTerms SitesForTest::TermsOf(const SumRequest& request, int invited) const {
  return TermsOfSum(study_, *roster_, request, Encode(request), invited).value();
}

SumForTest SitesForTest::Begin(const SumRequest& request) {
  std::vector<secagg::ParticipantId> invited;
  for (std::size_t site = 0; site < sites_.size(); ++site) invited.push_back(static_cast<secagg::ParticipantId>(site));
  return Begin(request, TermsOf(request, sites()), invited);
}

SumForTest SitesForTest::Begin(const SumRequest& request, secagg::SessionTerms terms,
                               std::vector<secagg::ParticipantId> invited) {
  SumForTest sum{.session = SessionForTest(++sessions_), .request = Encode(request), .server = nullptr};
  const auto deadline = (clock_.Now() + std::chrono::hours(1)).time_since_epoch();
  sum.server = secagg::MakeSecureServer(
                   {.roster = *roster_,
                    .signing_key = coordinator_,
                    .session = sum.session,
                    .deadline_unix_ms = std::chrono::duration_cast<std::chrono::milliseconds>(deadline).count(),
                    .terms = std::move(terms),
                    .invited = std::move(invited)},
                   parallel_)
                   .value();
  return sum;
}

std::string SitesForTest::MessageFor(const SumForTest& sum, int site) const {
  messages::CoordinatorMessage out;
  const Bytes message = sum.server->MessageFor(static_cast<secagg::ParticipantId>(site));
  out.mutable_sum()->set_session(sum.session.data(), sum.session.size());
  out.mutable_sum()->set_message(message.data(), message.size());
  if (sum.stage == 0) {
    out.mutable_sum()->set_request(sum.request.request);
    out.mutable_sum()->set_model(sum.request.model);
  }
  return out.SerializeAsString();
}

std::vector<messages::SiteMessage> SitesForTest::Read(const std::vector<std::string>& said) {
  std::vector<messages::SiteMessage> read;
  for (const std::string& message : said) CHECK(read.emplace_back().ParseFromString(message));
  return read;
}

std::vector<messages::SiteMessage> SitesForTest::Ask(SumForTest& sum, int site) {
  const std::vector<messages::SiteMessage> answers = Read(agent(site).Receive(MessageFor(sum, site)));
  for (const messages::SiteMessage& answer : answers) {
    if (!answer.has_sum()) continue;
    const absl::Status taken =
        sum.server->Receive(static_cast<secagg::ParticipantId>(site), AsBytes(answer.sum().message()));
    CHECK(taken.ok() || absl::IsAlreadyExists(taken), "{}", std::string(taken.message()));
  }
  return answers;
}

void SitesForTest::RunStage(SumForTest& sum) {
  for (const secagg::ParticipantId site : sum.server->Recipients()) Ask(sum, static_cast<int>(site));
  sum.server->CloseStage();
  ++sum.stage;
}

absl::StatusOr<secagg::SumOutcome> SitesForTest::Finish(SumForTest& sum) {
  while (!sum.server->IsOver()) RunStage(sum);
  for (const secagg::ParticipantId site : sum.server->Recipients()) Ask(sum, static_cast<int>(site));
  return sum.server->outcome();
}

std::optional<messages::Refusal::Reason> ReasonIn(const std::vector<messages::SiteMessage>& answers) {
  if (answers.size() != 1 || !answers[0].has_refusal()) return std::nullopt;
  return answers[0].refusal().reason();
}

bool HasAnswered(const std::vector<messages::SiteMessage>& answers) {
  return answers.size() == 1 && answers[0].has_sum();
}

void ExpectNothingGiven(SitesForTest& sites, int site) {
  EXPECT_EQ(sites.site(site).rows->asked, 0);
  EXPECT_EQ(sites.site(site).ledger->spent(), Rho());
  EXPECT_EQ(sites.agent(site).RoundsServed(), 0);
}

}  // namespace flaim::runtime
