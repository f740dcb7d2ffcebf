#include "runtime/programs/coordinator_program.h"

#include <atomic>
#include <thread>

#include "base/provenance.h"
#include "base/secure_random_source.h"
#include "base/status.h"
#include "io/hex.h"
#include "model/file/model_file.h"
#include "runtime/identity/network_address.h"
#include "runtime/programs/look_up.h"
#include "runtime/programs/manifest_files.h"
#include "runtime/programs/status_watch.h"

namespace flaim::runtime {
namespace {

constexpr std::chrono::milliseconds kSitesGrace{5'000};

std::int64_t UnixMs(const Clock& clock) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock.Now().time_since_epoch()).count();
}

// What an applicant may read is told to it; anything else is for the coordinator's own log.
bool IsForStrangers(const absl::Status& status) {
  return absl::IsPermissionDenied(status) || absl::IsInvalidArgument(status) || absl::IsAlreadyExists(status);
}

}  // namespace

CoordinatorProgram::CoordinatorProgram(CoordinatorFolder folder, Study study, const CoordinatorOptions& options,
                                       CoordinatorWorld world)
    : folder_(std::move(folder)),
      study_(std::move(study)),
      options_(options),
      world_(std::move(world)),
      board_(world_.clock, world_.log),
      exchange_(
          folder_.manifest(), [this](const Peer& peer) { return desk_->Admit(peer.site, peer.fingerprint); },
          world_.is_stopping, world_.clock, world_.log, board_) {}

absl::StatusOr<std::unique_ptr<CoordinatorProgram>> CoordinatorProgram::Start(CoordinatorFolder folder,
                                                                              const CoordinatorOptions& options,
                                                                              CoordinatorWorld world) {
  ASSIGN_OR_RETURN(Study study, OpenStudy(folder.manifest()));
  RETURN_IF_ERROR(CheckSoftware(study, world.software));
  std::unique_ptr<CoordinatorProgram> program(
      new CoordinatorProgram(std::move(folder), std::move(study), options, std::move(world)));
  RETURN_IF_ERROR(program->Open());
  return program;
}

CoordinatorProgram::~CoordinatorProgram() {
  if (switchboard_ != nullptr) switchboard_->Stop(kSitesGrace);
  if (status_server_ != nullptr) status_server_->Stop();
}

absl::Status CoordinatorProgram::Open() {
  board_.Update([this](StudyStatus& status) {
    status.study = study_.manifest.study;
    status.method = study_.plan.title;
    status.software = study_.manifest.software;
    status.manifest = ToHex(study_.digest);
    status.is_research = study_.IsResearch();
    status.epsilon = study_.manifest.epsilon;
    status.delta = study_.manifest.delta;
    status.rho_allowance = study_.plan.terms().allowance.ToDouble();
    status.minimum_sites = study_.manifest.minimum_sites;
    status.started_unix_ms = UnixMs(world_.clock);
  });
  ASSIGN_OR_RETURN(desk_, EnrolmentDesk::Open(folder_.SitesPath(), folder_.authority(), world_.clock));
  RETURN_IF_ERROR(ShowSites());
  ASSIGN_OR_RETURN(const NetworkAddress address, ParseNetworkAddress(folder_.address()));
  SwitchboardOptions options;
  options.listen = options_.listen.empty() ? fmt::format("0.0.0.0:{}", address.port) : options_.listen;
  options.identity = folder_.identity();
  options.timeout = options_.timeout;
  ASSIGN_OR_RETURN(switchboard_, Switchboard::Start(options, *this, exchange_));
  exchange_.Attach(*switchboard_);
  if (!options_.status_listen.empty()) {
    ASSIGN_OR_RETURN(status_server_, StatusServer::Start(options_.status_listen, board_));
    RETURN_IF_ERROR(WriteTextFile(folder_.StatusUrlPath(), status_server_->url() + "\n"));
  }
  world_.log.Info("coordinator listens", {{"port", static_cast<std::int64_t>(switchboard_->port())},
                                          {"study", study_.manifest.study},
                                          {"status", status_url()}});
  return absl::OkStatus();
}

absl::StatusOr<EnrolmentService::Reception> CoordinatorProgram::Enrol(
    const EnrolmentService::Application& application) {
  if (!is_enrolling_) {
    return absl::PermissionDeniedError("the study has begun, and takes no more sites; ask its people for the next one");
  }
  const absl::StatusOr<std::string> site = desk_->Apply({.invite_secret = application.invite_secret,
                                                         .signing_request = application.signing_request,
                                                         .verifying_key = application.verifying_key,
                                                         .signature = application.signature});
  if (!site.ok() && !IsForStrangers(site.status())) {
    world_.log.Error("enrolment failed", {{"reason", std::string(site.status().message())}});
    return absl::InternalError("the coordinator has a problem: its people can see which in its log");
  }
  RETURN_IF_ERROR(site.status());
  world_.log.Info("site has applied", {{"site", *site}});
  RETURN_IF_ERROR(ShowSites());
  const SignedManifest& manifest = folder_.manifest();
  return Reception{.site = *site,
                   .manifest = manifest.text,
                   .signature = std::string(manifest.signature.begin(), manifest.signature.end())};
}

absl::StatusOr<EnrolmentService::Collection> CoordinatorProgram::Collect(const std::string& invite_secret,
                                                                         const std::string& verifying_key) {
  absl::StatusOr<EnrolmentDesk::Collection> collection = desk_->Collect(invite_secret, verifying_key);
  if (!collection.ok() && !IsForStrangers(collection.status())) {
    world_.log.Error("enrolment failed", {{"reason", std::string(collection.status().message())}});
    return absl::InternalError("the coordinator has a problem: its people can see which in its log");
  }
  RETURN_IF_ERROR(collection.status());
  return EnrolmentService::Collection{.is_pending = collection->is_pending,
                                      .certificate = std::move(collection->certificate),
                                      .authority = std::move(collection->authority)};
}

absl::Status CoordinatorProgram::ShowSites() {
  ASSIGN_OR_RETURN(const std::vector<SiteRecord> sites, desk_->Sites());
  board_.Update([&](StudyStatus& status) {
    std::vector<SiteStatus> shown;
    for (const SiteRecord& site : sites) {
      SiteStatus next;
      for (const SiteStatus& before : status.sites) {
        if (before.name == site.name) next = before;
      }
      next.name = site.name;
      next.is_approved = site.state == SiteState::kApproved;
      next.fingerprint = site.identity_fingerprint;
      shown.push_back(std::move(next));
    }
    status.sites = std::move(shown);
  });
  return absl::OkStatus();
}

void CoordinatorProgram::ShowTraffic() {
  board_.Update([this](StudyStatus& status) {
    for (SiteStatus& site : status.sites) {
      const LinkTraffic traffic = switchboard_->TrafficOf(site.name);
      site.sent_bytes = traffic.received_bytes;
      site.received_bytes = traffic.sent_bytes;
    }
  });
}

absl::Status CoordinatorProgram::Serve() {
  is_enrolling_ = true;
  while (!world_.is_stopping()) {
    std::this_thread::sleep_for(kLookUp);
    RETURN_IF_ERROR(ShowSites());
    ShowTraffic();
  }
  is_enrolling_ = false;
  return absl::OkStatus();
}

void CoordinatorProgram::Linger() {
  while (!world_.is_stopping()) std::this_thread::sleep_for(kLookUp);
}

absl::StatusOr<StudyRoster> CoordinatorProgram::RosterOfApproved() {
  ASSIGN_OR_RETURN(const std::vector<SiteRecord> sites, desk_->Sites());
  StudyRoster roster;
  for (const SiteRecord& site : sites) {
    if (site.state != SiteState::kApproved) continue;
    roster.sites.push_back(site.name);
    roster.keys.push_back(site.verifying_key);
    roster.requests.push_back(site.request_digest);
  }
  if (std::ssize(roster.sites) >= study_.manifest.minimum_sites) return roster;
  return FailedPrecondition(
      "{} site(s) are approved, and the study needs {}: invite more, and approve those that have applied",
      roster.sites.size(), study_.manifest.minimum_sites);
}

absl::Status CoordinatorProgram::Run() {
  ASSIGN_OR_RETURN(StudyJournal journal, StudyJournal::Open(folder_.JournalPath()));
  if (!journal.begun()) {
    ASSIGN_OR_RETURN(const StudyRoster roster, RosterOfApproved());
    SecureRandomSource random;
    RETURN_IF_ERROR(journal.Begin({.manifest = study_.digest,
                                   .roster = Encode(roster),
                                   .schedule_seed = study_.manifest.research_seed.value_or(random.NextU64())}));
  }
  if (journal.begun()->manifest != study_.digest) {
    return absl::DataLossError("the journal in this folder belongs to another manifest");
  }
  ASSIGN_OR_RETURN(const StudyRoster roster, DecodeRoster(journal.begun()->roster));
  const absl::Status status = RunStudy(journal, roster);
  if (!status.ok() && !absl::IsCancelled(status)) Fail(status);
  return status;
}

void CoordinatorProgram::Fail(const absl::Status& why) {
  world_.log.Error("study failed", {{"reason", std::string(why.message())}});
  board_.Update([&](StudyStatus& status) {
    status.phase = StudyPhase::kFailed;
    status.failure = std::string(why.message());
  });
}

// Everybody gets a chance to find the way; whoever is still needed later is waited for then.
absl::Status CoordinatorProgram::WaitForSites(std::size_t all) {
  const auto until = world_.clock.Now() + options_.timeout;
  while (exchange_.Ready() < all && world_.clock.Now() < until) RETURN_IF_ERROR(exchange_.Next(until).status());
  return absl::OkStatus();
}

absl::Status CoordinatorProgram::RunStudy(StudyJournal& journal, const StudyRoster& roster) {
  const Digest roster_digest = DigestOfRoster(study_.digest, Encode(roster));
  board_.Update([&](StudyStatus& status) {
    status.phase = StudyPhase::kWaiting;
    status.roster = ToHex(roster_digest);
  });
  exchange_.BeginStudy(roster, folder_.signing_key().Sign(roster_digest));
  ASSIGN_OR_RETURN(const secagg::Roster keys, secagg::Roster::Make(study_.manifest.server, roster.keys));
  world_.log.Info("waiting for sites", {{"approved", static_cast<std::int64_t>(roster.sites.size())},
                                        {"needed", static_cast<std::int64_t>(study_.manifest.minimum_sites)}});
  RETURN_IF_ERROR(WaitForSites(roster.sites.size()));
  board_.Update([](StudyStatus& status) { status.phase = StudyPhase::kRunning; });

  StatusWatch watch(study_, roster, world_.clock, world_.log, board_, [this] { ShowTraffic(); });
  ASSIGN_OR_RETURN(
      const std::unique_ptr<NetworkedFederation> federation,
      NetworkedFederation::Create({.study = study_,
                                   .roster = keys,
                                   .signing_key = folder_.signing_key(),
                                   .exchange = exchange_,
                                   .journal = journal,
                                   .sum_path = folder_.SumPath(),
                                   .patience = {.connected = options_.timeout, .disconnected = options_.timeout / 6},
                                   .clock = world_.clock,
                                   .schedule_random = world_.schedule_random,
                                   .provenance = study_.IsResearch() ? world_.research_provenance : kSecureProvenance,
                                   .watch = watch,
                                   .parallel = world_.parallel}));
  ASSIGN_OR_RETURN(FittedModel fitted, RunMethod(study_.plan.method, study_.plan.options, *study_.plan.spending,
                                                 study_.workload, *federation, world_.parallel, watch));
  fitted.report.algorithm = study_.plan.title;
  RETURN_IF_ERROR(WriteModelFile(folder_.ModelPath(), study_.schema, fitted.report, fitted.model));
  world_.log.Info("study finished", {{"model", folder_.ModelPath()}});
  ShowTraffic();
  board_.Update([this](StudyStatus& status) {
    status.phase = StudyPhase::kFinished;
    status.result = folder_.ModelPath();
  });
  exchange_.SayFarewell();
  return absl::OkStatus();
}

}  // namespace flaim::runtime
