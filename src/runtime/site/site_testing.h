#pragma once

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/seeded_random_source.h"
#include "messages.pb.h"
#include "runtime/site/site_agent.h"
#include "runtime/study/manifest_testing.h"
#include "secagg/protocol/secure_server.h"

// A study of a few sites with their files, and what a coordinator says to them, one message at a time.
namespace flaim::runtime {

// A fresh folder of the running test, gone when it is over.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

secagg::SessionId SessionForTest(int number);

// Requests of a study over the table of manifest_testing.h. Noise and epsilon are cheap.
SumRequest CountsForTest(std::int64_t round, const std::string& query, std::vector<Clique> cliques);
SumRequest OneWays(std::int64_t round = 1);
SumRequest ScoresForTest(const Model& model, std::int64_t round);
SumRequest LocalForTest(const Model& model, std::int64_t round);
SumRequest RandomForTest(std::int64_t round);
Model ModelForTest(const Domain& domain, Parallel& parallel);

// Rows that tests can break.
class RowsForTest final : public PrivateRows {
 public:
  explicit RowsForTest(const Table& table) : rows_(table) {}

  const Domain& domain() const override { return rows_.domain(); }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override;
  absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares) override;

  absl::Status trouble = absl::OkStatus();  // given instead of an answer
  std::int64_t canary = 0;                  // in the first cell of every marginal, if not 0
  int asked = 0;

 private:
  TableRows rows_;
};

// One site and its files. Going away is being killed.
struct SiteForTest {
  std::unique_ptr<RowsForTest> rows;
  std::optional<Ledger> ledger;
  std::optional<SiteRecords> records;
  std::unique_ptr<SiteAgent> agent;
};

// A secure sum as its coordinator has it.
struct SumForTest {
  secagg::SessionId session{};
  EncodedRequest request;
  std::unique_ptr<secagg::SumServer> server;
  int stage = 0;
};

class SitesForTest {
 public:
  SitesForTest(const Manifest& manifest, int sites);

  SiteAgent& agent(int site) { return *sites_[static_cast<std::size_t>(site)].agent; }
  SiteForTest& site(int site) { return sites_[static_cast<std::size_t>(site)]; }
  int sites() const { return static_cast<int>(sites_.size()); }
  const Study& study() const { return study_; }
  const StudyRoster& roster() const { return named_; }
  std::string logs() const { return logs_.str(); }
  Parallel& parallel() { return parallel_; }
  ManualClock& clock() { return clock_; }

  // Killed, and started again from its files.
  void Restart(int site);
  // Asked for by a signal.
  bool is_stopping = false;
  // Of all sites that are started from now on.
  RosterConsent consent = {.roster = std::nullopt, .is_any = true, .known = std::nullopt};

  // What a coordinator says when a site has connected; signed by the study's coordinator unless told otherwise.
  std::string Welcome() const { return Welcome(Encode(named_), KeyForTest("coordinator")); }
  std::string Welcome(const std::string& roster, const secagg::SigningKey& signer) const;
  void WelcomeAll();

  // The next session, with all sites invited.
  SumForTest Begin(const SumRequest& request);
  SumForTest Begin(const SumRequest& request, secagg::SessionTerms terms, std::vector<secagg::ParticipantId> invited);
  secagg::SessionTerms TermsOf(const SumRequest& request, int invited) const;
  // What the coordinator says to the site in this stage.
  std::string MessageFor(const SumForTest& sum, int site) const;
  // The site's answers, put into the server if they are of the sum.
  std::vector<messages::SiteMessage> Ask(SumForTest& sum, int site);
  // Asks everybody, closes the stage.
  void RunStage(SumForTest& sum);
  absl::StatusOr<secagg::SumOutcome> Finish(SumForTest& sum);

  static std::vector<messages::SiteMessage> Read(const std::vector<std::string>& said);

 private:
  void Start(int site);

  ScratchFolder folder_;
  Manifest manifest_;
  SignedManifest signed_;
  Study study_;
  ManualClock clock_;
  std::ostringstream logs_;
  Log log_;
  Parallel parallel_{1, [this] { return is_stopping; }};
  secagg::SigningKey coordinator_;
  std::vector<secagg::SigningKey> keys_;
  StudyRoster named_;
  std::optional<secagg::Roster> roster_;
  std::vector<Table> tables_;
  std::vector<SiteForTest> sites_;
  int sessions_ = 0;
};

// What the site says; nothing if it says something else.
std::optional<messages::Refusal::Reason> ReasonIn(const std::vector<messages::SiteMessage>& answers);
bool HasAnswered(const std::vector<messages::SiteMessage>& answers);

// Nothing was counted, paid for or put on record.
void ExpectNothingGiven(SitesForTest& sites, int site = 0);

}  // namespace flaim::runtime
