#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/loop/run.h"
#include "base/seeded_random_source.h"
#include "runtime/coordinator/networked_federation.h"
#include "runtime/site/site_agent.h"
#include "tests/federated_testing.h"

// A study of the networked runtime without a network: the real coordinator and the real sites, with their files, over
// an exchange in memory whose every step, loss and crash comes from a seed.
namespace flaim::runtime {

struct NetworkedStudyOptions {
  MethodChanges method;
  std::string availability = "all";
  std::optional<double> participation = std::nullopt;
  std::size_t rows = 400;
  int sites = 5;
  int minimum_sites = 3;
  secagg::GroupBounds bounds{.dropout_share = 0.4, .colluders = 0};
  double epsilon = 5;
  std::uint64_t seed = 1;  // of the research noise
  std::optional<std::uint64_t> data_seed = std::nullopt;
  std::optional<DealtStudy> data = std::nullopt;  // these rows, dealt to the sites, instead of drawn ones
  // In place of OpenStudy, whose plan the exact accountant takes long to work out, where runs are many.
  std::function<absl::StatusOr<Study>(const SignedManifest&)> open = OpenStudy;
  // What the method is given in place of the coordinator's port.
  std::function<std::unique_ptr<Federation>(Federation&)> decorate = nullptr;
};

// When, with regard to one of its messages, a site is killed.
enum class Moment : std::uint8_t {
  kBefore,  // it never sees the message
  kDuring,  // while it reads its rows, so after it has paid; for other messages, as before
  kAfter,   // its answer is lost
};

struct SiteKill {
  int site = 0;
  int message = 0;  // the site's own count, from 0; welcomes are messages too
  Moment moment = Moment::kBefore;
};

// What may happen between two messages.
struct Faults {
  std::uint64_t seed = 1;
  double site_crash = 0;         // a site is killed and comes back from its files, some steps later
  double site_disconnect = 0;    // loses its connection, keeps its memory
  double duplicate = 0;          // of a message, in either direction
  double lose = 0;               // a message is lost; its connection with it
  double coordinator_crash = 0;  // the coordinator is killed, and started again from its files
  int most_coordinator_crashes = 0;
  int most_site_crashes = 1'000'000;
  // Of crashes, disconnections and losses: different sites in one sum. What a study promises is counted in these.
  int most_victims_per_sum = 1'000'000;
  bool sites_return = true;
  // The coordinator is killed, once, at this step of all that it does: sending, waiting, settling something.
  std::optional<int> coordinator_killed_at = std::nullopt;
  std::optional<SiteKill> site_kill = std::nullopt;
  // From this delivery on, these sites are gone.
  std::vector<int> gone = {};
  int gone_from = 0;
};

// A sum that came about, and what it must be: worked out from the tables of its contributors, what they have on record
// as chosen, and the seeded shares of their noise.
struct SumOfTest {
  std::string name;
  std::vector<secagg::ParticipantId> contributors;
  std::vector<std::int64_t> expected;
};

class NetworkedStudyForTest {
 public:
  // Files go into a fresh folder below `folder`.
  NetworkedStudyForTest(const std::string& folder, const NetworkedStudyOptions& options);
  ~NetworkedStudyForTest();

  const Study& study() const { return *study_; }
  const DealtStudy& data() const { return data_; }
  const std::string& folder() const { return folder_; }

  // Runs the method over the network, through all crashes.
  absl::StatusOr<FittedModel> Run(const Faults& faults = {});
  // The same by the simulation, with noise split as over the network.
  absl::StatusOr<FittedModel> Simulate();

  // Before the study: almost all of the site's budget is gone.
  void SpendElsewhere(int site);

  // What each site has paid.
  std::unique_ptr<Ledger> LedgerOf(int site) const;
  std::string LedgerPath(int site) const;
  std::string JournalPath() const { return folder_ + "/journal.log"; }
  int coordinator_crashes() const { return coordinator_crashes_; }
  int site_crashes() const { return site_crashes_; }
  // Of the last run: what the coordinator did, and what was delivered to each site.
  int coordinator_steps() const { return coordinator_steps_; }
  int messages_to(int site) const { return messages_to_[static_cast<std::size_t>(site)]; }
  int deliveries() const { return deliveries_; }
  // All that this study has made, in order.
  const std::vector<SumOfTest>& sums() const { return sums_; }
  // The same from the journal: what the coordinator has.
  std::vector<StudyJournal::Sum> SumsInJournal() const;
  std::chrono::system_clock::time_point Now() const { return clock_.Now(); }
  // Everything that sites and coordinator logged.
  std::string logs() const { return logs_.str(); }

  class Exchange;

 private:
  friend class Exchange;
  struct Site;
  class Watch;

  absl::StatusOr<FittedModel> RunOnce(const Faults& faults, RandomSource& random);
  // Counts, and throws when it is time.
  void CoordinatorStep(const Faults& faults);
  std::vector<std::int64_t> ExpectedSum(const SumRequest& request, int invited,
                                        const std::vector<secagg::ParticipantId>& contributors);
  std::vector<std::int64_t> AddendOf(const SumRequest& request, secagg::ParticipantId site);

  void StartSite(int site);
  void StopSite(int site);

  NetworkedStudyOptions options_;
  std::string folder_;
  DealtStudy data_;
  std::vector<Table> tables_;
  ManualClock clock_;
  SeededRandomSource keys_random_;
  secagg::SigningKey server_key_;
  std::vector<secagg::SigningKey> site_keys_;
  SignedManifest manifest_;
  std::unique_ptr<Study> study_;
  StudyRoster roster_;
  std::optional<secagg::Roster> keys_;
  std::ostringstream logs_;
  Log log_;
  Parallel parallel_{1};
  std::vector<std::unique_ptr<Site>> sites_;
  int coordinator_crashes_ = 0;
  int site_crashes_ = 0;
  int coordinator_steps_ = 0;
  int deliveries_ = 0;
  std::vector<int> messages_to_;
  std::set<std::size_t> victims_;  // in the sum that is being made
  std::vector<SumOfTest> sums_;
  bool is_site_dying_ = false;  // when it reads its rows
};

}  // namespace flaim::runtime
