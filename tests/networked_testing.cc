#include "tests/networked_testing.h"

#include <filesystem>

#include "base/check.h"
#include "base/status.h"
#include "data/schema/schema_toml.h"
#include "messages.pb.h"
#include "tests/networked_exchange_testing.h"

namespace flaim::runtime {
namespace {

std::string SchemaFor(const Domain& domain) {
  std::string toml;
  for (const Attribute& attribute : domain.attributes()) {
    std::string values;
    for (std::int64_t value = 0; value < attribute.size; ++value) {
      values += fmt::format("{}\"v{}\"", value == 0 ? "" : ", ", value);
    }
    toml += fmt::format("[[column]]\nname = \"{}\"\ntype = \"categorical\"\nvalues = [{}]\n\n", attribute.name, values);
  }
  return toml;
}

// Thrown where the coordinator is killed: whatever it had in memory is gone on the way up.
struct CoordinatorKilled {};

}  // namespace

// Notes what is settled, and what it must have been.
class NetworkedStudyForTest::Watch final : public CoordinatorWatch {
 public:
  Watch(NetworkedStudyForTest& test, const Faults& faults) : test_(test), faults_(faults) {}

  void OnGathered(const Group&, const std::vector<secagg::ParticipantId>&) override { test_.CoordinatorStep(faults_); }
  void OnSumBegun(const SumRequest&, int invited) override {
    invited_ = invited;
    test_.victims_.clear();
    test_.CoordinatorStep(faults_);
  }
  void OnStage(const std::string&, std::size_t, std::size_t) override { test_.CoordinatorStep(faults_); }
  void OnSumDone(const SumRequest& request, const std::vector<secagg::ParticipantId>& contributors,
                 bool is_replayed) override {
    if (!is_replayed) {
      test_.sums_.push_back({.name = request.name().ToString(),
                             .contributors = contributors,
                             .expected = test_.ExpectedSum(request, invited_, contributors)});
    }
    test_.CoordinatorStep(faults_);
  }
  void OnSumFailed(const SumRequest&, const std::string&) override { test_.CoordinatorStep(faults_); }

 private:
  NetworkedStudyForTest& test_;
  const Faults& faults_;
  int invited_ = 0;
};

NetworkedStudyForTest::NetworkedStudyForTest(const std::string& folder, const NetworkedStudyOptions& options)
    : options_(options),
      folder_(folder),
      data_(options.data
                ? *options.data
                : MakeStudy(options.rows, static_cast<std::size_t>(options.sites), options.data_seed.value_or(1))),
      tables_(data_.table.SplitBy(data_.partition.client_of_row, data_.partition.clients)),
      clock_(std::chrono::system_clock::time_point(std::chrono::hours(500'000))),
      keys_random_(options.seed, "keys of a test"),
      server_key_(secagg::SigningKey::Generate(keys_random_)),
      log_(logs_, LogFormat::kJson, clock_),
      sites_(static_cast<std::size_t>(options.sites)),
      messages_to_(sites_.size()) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
  Manifest manifest{.study = "a test",
                    .id = fmt::format("{:032x}", options.seed),
                    .software = "test",
                    .created_unix_s = 1,
                    .schema = SchemaFor(data_.table.domain()),
                    .workload = "all:2",
                    .epsilon = options.epsilon,
                    .delta = 1e-5,
                    .request = {.method = options.method,
                                .participation = options.participation,
                                .availability = options.availability,
                                .paper_fit = false},
                    .max_model_cells = 1000,
                    .minimum_sites = options.minimum_sites,
                    .bounds = options.bounds,
                    .max_rows_per_site = 100'000,
                    .research_seed = options.seed,
                    .server = server_key_.verifying_key()};
  manifest_ = Sign(manifest, server_key_);
  study_ = std::make_unique<Study>(options.open(manifest_).value());
  for (int site = 0; site < options.sites; ++site) {
    site_keys_.push_back(secagg::SigningKey::Generate(keys_random_));
    roster_.sites.push_back(fmt::format("site-{}", site));
    roster_.keys.push_back(site_keys_.back().verifying_key());
    roster_.requests.push_back(Sha256(AsBytes(roster_.sites.back())));
  }
  keys_ = secagg::Roster::Make(server_key_.verifying_key(), roster_.keys).value();
}

NetworkedStudyForTest::~NetworkedStudyForTest() {
  sites_.clear();
  std::filesystem::remove_all(folder_);
}

std::string NetworkedStudyForTest::LedgerPath(int site) const {
  return fmt::format("{}/site-{}.ledger", folder_, site);
}

std::unique_ptr<Ledger> NetworkedStudyForTest::LedgerOf(int site) const {
  return std::make_unique<Ledger>(Ledger::Open(LedgerPath(site), clock_).value());
}

void NetworkedStudyForTest::StartSite(int site) {
  sites_[static_cast<std::size_t>(site)] = std::make_unique<Site>(*this, site);
}

void NetworkedStudyForTest::SpendElsewhere(int site) {
  StartSite(site);
  Ledger& ledger = sites_[static_cast<std::size_t>(site)]->ledger;
  const double rho = 0.999 * study_->plan.terms().allowance.ToDouble();
  const GaussianMechanism dear{.sigma_squared = Rational::RoundUp(1 / (2 * rho)).value()};
  CHECK(ledger.Debit({"another study", 1, "everything"}, dear).ok());
}

void NetworkedStudyForTest::StopSite(int site) { sites_[static_cast<std::size_t>(site)].reset(); }

void NetworkedStudyForTest::CoordinatorStep(const Faults& faults) {
  if (coordinator_steps_++ != faults.coordinator_killed_at) return;
  ++coordinator_crashes_;
  throw CoordinatorKilled();
}

absl::StatusOr<FittedModel> NetworkedStudyForTest::Run(const Faults& faults) {
  SeededRandomSource random(faults.seed, "faults");
  coordinator_steps_ = 0;
  deliveries_ = 0;
  std::fill(messages_to_.begin(), messages_to_.end(), 0);
  for (;;) {
    try {
      absl::StatusOr<FittedModel> model = RunOnce(faults, random);
      if (!absl::IsCancelled(model.status())) return model;
    } catch (const CoordinatorKilled&) {
    }
  }
}

absl::StatusOr<FittedModel> NetworkedStudyForTest::RunOnce(const Faults& faults, RandomSource& random) {
  const std::string roster = Encode(roster_);
  messages::CoordinatorMessage welcome;
  welcome.mutable_welcome()->set_manifest(manifest_.text);
  welcome.mutable_welcome()->set_manifest_signature(manifest_.signature.data(), manifest_.signature.size());
  welcome.mutable_welcome()->set_roster(roster);
  const secagg::Signature signature = server_key_.Sign(DigestOfRoster(study_->digest, roster));
  welcome.mutable_welcome()->set_roster_signature(signature.data(), signature.size());
  Watch watch(*this, faults);
  NoRounds no_rounds;
  ASSIGN_OR_RETURN(StudyJournal journal, StudyJournal::Open(JournalPath()));
  if (!journal.begun()) {
    RETURN_IF_ERROR(journal.Begin({.manifest = study_->digest, .roster = roster, .schedule_seed = options_.seed}));
  }
  Exchange exchange(*this, faults, random, welcome.SerializeAsString());
  ASSIGN_OR_RETURN(const std::unique_ptr<NetworkedFederation> federation,
                   NetworkedFederation::Create({.study = *study_,
                                                .roster = *keys_,
                                                .signing_key = server_key_,
                                                .exchange = exchange,
                                                .journal = journal,
                                                .sum_path = folder_ + "/sum.log",
                                                .patience = {},
                                                .clock = clock_,
                                                .schedule_random =
                                                    [](std::uint64_t seed, const std::string& label) {
                                                      return std::make_unique<SeededRandomSource>(seed, label);
                                                    },
                                                .provenance = SeededRandomSource(options_.seed).Provenance(),
                                                .watch = watch,
                                                .parallel = parallel_}));
  const std::unique_ptr<Federation> decorated = options_.decorate ? options_.decorate(*federation) : nullptr;
  return RunMethod(study_->plan.method, study_->plan.options, *study_->plan.spending, study_->workload,
                   decorated ? *decorated : *federation, parallel_, no_rounds);
}

absl::StatusOr<FittedModel> NetworkedStudyForTest::Simulate() {
  const SimulationOptions options{.seed = options_.seed,
                                  .availability = study_->plan.availability,
                                  .trust = TrustOf(study_->plan.method),
                                  .allowance = study_->plan.terms().allowance,
                                  .participation_cap = study_->plan.terms().participation_cap,
                                  .noise = SplitNoise{options_.bounds},
                                  .least_members = options_.minimum_sites};
  ASSIGN_OR_RETURN(const std::unique_ptr<SimulatedFederation> federation,
                   SimulatedFederation::Create(data_.table, data_.partition.client_of_row, data_.partition.clients,
                                               options, parallel_));
  NoRounds no_rounds;
  return RunMethod(study_->plan.method, study_->plan.options, *study_->plan.spending, study_->workload, *federation,
                   parallel_, no_rounds);
}

}  // namespace flaim::runtime
