#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/fit_flags.h"
#include "cli/flags/method_flags.h"
#include "cli/flags/service_flags.h"
#include "cli/interruption.h"
#include "cli/on_call.h"
#include "data/schema/schema_file.h"
#include "io/byte_source.h"
#include "io/hex.h"
#include "marginal/workload_spec.h"
#include "nlohmann/json.hpp"
#include "runtime/identity/enrolment_desk.h"
#include "runtime/programs/coordinator_program.h"
#include "runtime/programs/manifest_files.h"

namespace flaim {
namespace {

using runtime::CoordinatorFolder;
using runtime::EnrolmentDesk;
using runtime::Manifest;

constexpr const char* kCoordinatorFolder = "Folder of the study, as made by `flaim coordinator init`";
constexpr std::int64_t kDefaultMaxRows = 100'000'000;

struct InitFlags {
  std::string folder;
  std::string name;
  std::string address;
  std::vector<std::string> hosts;
  FitFlags fit;
  RunRequest request;
  GroupFlags group;
  std::int64_t max_rows = kDefaultMaxRows;
  std::optional<std::uint64_t> research_seed;
};

struct SiteNameFlags {
  std::string folder;
  std::string site;
};

struct CoordinatorFlags {
  std::string folder;
  std::string listen;
  std::string status = "127.0.0.1:0";
  ServiceFlags service;
  std::optional<int> threads;
  bool linger = false;
};

// A workload file goes into the manifest itself: sites do not have it.
absl::StatusOr<std::string> WorkloadText(const ModelSettings& settings) {
  ASSIGN_OR_RETURN(const WorkloadSpec spec, ParseWorkloadSpec(settings.workload_text));
  const auto* file = std::get_if<WorkloadFileSpec>(&spec);
  return file == nullptr ? settings.workload_text : runtime::ReadTextFile(file->path);
}

absl::StatusOr<Manifest> DraftManifest(const InitFlags& flags, const Clock& clock) {
  ASSIGN_OR_RETURN(const ModelSettings model, ReadModelSettings(flags.fit));
  Manifest manifest;
  manifest.study = flags.name;
  manifest.software = FLAIM_VERSION;
  manifest.created_unix_s = std::chrono::duration_cast<std::chrono::seconds>(clock.Now().time_since_epoch()).count();
  ASSIGN_OR_RETURN(manifest.schema, runtime::ReadTextFile(flags.fit.schema));
  ASSIGN_OR_RETURN(manifest.workload, WorkloadText(model));
  manifest.epsilon = flags.fit.request.epsilon;
  manifest.delta = flags.fit.request.delta;
  manifest.request = flags.request;
  if (manifest.request.availability.empty() && !manifest.request.participation) manifest.request.availability = "all";
  manifest.max_model_cells = model.max_model_cells;
  manifest.minimum_sites = flags.group.minimum_sites;
  manifest.bounds = flags.group.bounds;
  manifest.max_rows_per_site = flags.max_rows;
  manifest.unfit = model.unfit;
  manifest.research_seed = flags.research_seed;
  return manifest;
}

absl::Status Init(const InitFlags& flags, Console& console) {
  const SystemClock clock;
  ASSIGN_OR_RETURN(Manifest manifest, DraftManifest(flags, clock));
  ASSIGN_OR_RETURN(const runtime::Study study,
                   CoordinatorFolder::Create(flags.folder, std::move(manifest), flags.address, flags.hosts, clock));
  console.Print(runtime::Explain(study));
  if (study.IsResearch()) {
    console.Warn("WARNING: this study draws its noise from a seed. It is for research on public data: NOT private.");
  }
  console.Note(fmt::format(
      "next: `flaim coordinator invite {0} NAME` for each site, and `flaim coordinator serve {0}` to let them join",
      flags.folder));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<EnrolmentDesk>> OpenDesk(const CoordinatorFolder& folder, const Clock& clock) {
  return EnrolmentDesk::Open(folder.SitesPath(), folder.authority(), clock);
}

absl::Status Invite(const SiteNameFlags& flags, Console& console) {
  const SystemClock clock;
  SecureRandomSource random;
  ASSIGN_OR_RETURN(const CoordinatorFolder folder, CoordinatorFolder::Open(flags.folder));
  ASSIGN_OR_RETURN(const std::unique_ptr<EnrolmentDesk> desk, OpenDesk(folder, clock));
  ASSIGN_OR_RETURN(const runtime::InviteCode code, desk->Invite(flags.site, folder.address(), random));
  console.Print(runtime::ToText(code));
  console.Note(fmt::format(
      "give this code to {} and nobody else; it works once, within a week: `flaim site join FOLDER CODE`", flags.site));
  return absl::OkStatus();
}

absl::Status Approve(const SiteNameFlags& flags, Console& console) {
  const SystemClock clock;
  ASSIGN_OR_RETURN(const CoordinatorFolder folder, CoordinatorFolder::Open(flags.folder));
  ASSIGN_OR_RETURN(const std::unique_ptr<EnrolmentDesk> desk, OpenDesk(folder, clock));
  RETURN_IF_ERROR(desk->Approve(flags.site));
  ASSIGN_OR_RETURN(const std::vector<runtime::SiteRecord> sites, desk->Sites());
  for (const runtime::SiteRecord& site : sites) {
    if (site.name != flags.site) continue;
    console.Print(fmt::format("{} is approved with the fingerprint {}", site.name, site.identity_fingerprint));
    console.Note("it must be the one that the site's people see; if it is not, `flaim coordinator reject` at once");
  }
  return absl::OkStatus();
}

absl::Status Reject(const SiteNameFlags& flags, Console& console) {
  const SystemClock clock;
  ASSIGN_OR_RETURN(const CoordinatorFolder folder, CoordinatorFolder::Open(flags.folder));
  ASSIGN_OR_RETURN(const std::unique_ptr<EnrolmentDesk> desk, OpenDesk(folder, clock));
  RETURN_IF_ERROR(desk->Reject(flags.site));
  console.Print(fmt::format("{} is not a member any more", flags.site));
  return absl::OkStatus();
}

std::string ToText(runtime::SiteState state) {
  switch (state) {
    case runtime::SiteState::kInvited:
      return "invited";
    case runtime::SiteState::kApplied:
      return "applied: compare the fingerprint, then approve";
    case runtime::SiteState::kApproved:
      return "approved";
  }
  return "";
}

absl::Status ListSites(const SiteNameFlags& flags, Console& console) {
  const SystemClock clock;
  ASSIGN_OR_RETURN(const CoordinatorFolder folder, CoordinatorFolder::Open(flags.folder));
  ASSIGN_OR_RETURN(const std::unique_ptr<EnrolmentDesk> desk, OpenDesk(folder, clock));
  ASSIGN_OR_RETURN(const std::vector<runtime::SiteRecord> sites, desk->Sites());
  std::vector<std::vector<std::string>> rows;
  for (const runtime::SiteRecord& site : sites) {
    rows.push_back({site.name, ToText(site.state), site.identity_fingerprint});
  }
  console.PrintTable({"site", "state", "fingerprint"}, rows);
  return absl::OkStatus();
}

nlohmann::json ToJson(const runtime::StudyJournal::Gathered& gathered) {
  return {{"round", gathered.round}, {"members", gathered.members}};
}

nlohmann::json ToJson(const runtime::StudyJournal::Sum& sum) {
  nlohmann::json out{{"round", sum.round},
                     {"query", sum.query},
                     {"attempt", sum.attempt},
                     {"session", ToHex(sum.session)},
                     {"invited", sum.invited}};
  if (sum.is_done) {
    out["contributors"] = sum.contributors;
    out["counts"] = sum.counts;
  }
  if (sum.failure) out["failure"] = *sum.failure;
  return out;
}

// The journal for auditors: everything the coordinator has learnt, and from whom together. All of it is public.
absl::Status ShowJournal(const SiteNameFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const CoordinatorFolder folder, CoordinatorFolder::Open(flags.folder));
  if (!std::filesystem::exists(folder.JournalPath())) return absl::NotFoundError("the study has not begun yet");
  ASSIGN_OR_RETURN(const runtime::StudyJournal journal, runtime::StudyJournal::Open(folder.JournalPath()));
  nlohmann::json out{{"sites", nlohmann::json::array()}, {"events", nlohmann::json::array()}};
  if (journal.begun()) {
    ASSIGN_OR_RETURN(const runtime::StudyRoster roster, runtime::DecodeRoster(journal.begun()->roster));
    out["sites"] = roster.sites;
  }
  for (const auto& settled : journal.past()) {
    out["events"].push_back(std::visit([](const auto& event) { return ToJson(event); }, settled));
  }
  console.Print(out.dump(2));
  return absl::OkStatus();
}

// What the outside gives to a coordinator that runs.
runtime::CoordinatorWorld WorldOf(const CoordinatorFolder& folder, const Clock& clock, runtime::Log& log,
                                  Parallel& parallel) {
  const absl::StatusOr<Manifest> manifest = runtime::Open(folder.manifest());
  const std::uint64_t seed = manifest.ok() ? manifest->research_seed.value_or(0) : 0;
  return {.software = FLAIM_VERSION,
          .clock = clock,
          .log = log,
          .parallel = parallel,
          .is_stopping = [] { return Interruption::requested(); },
          .schedule_random =
              [](std::uint64_t schedule_seed, const std::string& label) {
                return std::make_unique<SeededRandomSource>(schedule_seed, label);
              },
          .research_provenance = SeededRandomSource(seed).Provenance()};
}

absl::Status WithProgram(const CoordinatorFlags& flags, Console& console,
                         const std::function<absl::Status(runtime::CoordinatorProgram&)>& action) {
  const Interruption interruption;
  const SystemClock clock;
  runtime::Log log(std::cerr, flags.service.log_format(), clock);
  WarnIfRoot(log);
  Parallel parallel(flags.threads.value_or(Parallel::HardwareThreads()), Interruption::requested);
  ASSIGN_OR_RETURN(CoordinatorFolder folder, CoordinatorFolder::Open(flags.folder));
  runtime::CoordinatorWorld world = WorldOf(folder, clock, log, parallel);
  ASSIGN_OR_RETURN(const std::unique_ptr<runtime::CoordinatorProgram> program,
                   runtime::CoordinatorProgram::Start(std::move(folder),
                                                      {.listen = flags.listen,
                                                       .status_listen = flags.status == "none" ? "" : flags.status,
                                                       .timeout = flags.service.timeout()},
                                                      std::move(world)));
  if (!program->status_url().empty()) console.Note(fmt::format("status page: {}", program->status_url()));
  return action(*program);
}

absl::Status Serve(const CoordinatorFlags& flags, Console& console) {
  return WithProgram(flags, console, [](runtime::CoordinatorProgram& program) { return program.Serve(); });
}

absl::Status RunToTheEnd(const CoordinatorFlags& flags, Console& console) {
  return WithProgram(flags, console, [&](runtime::CoordinatorProgram& program) -> absl::Status {
    const absl::Status status = program.Run();
    if (flags.linger && !absl::IsCancelled(status)) program.Linger();
    RETURN_IF_ERROR(status);
    console.Print(fmt::format("{}/model.flaim", flags.folder));
    console.Note(fmt::format("draw rows from it with `flaim sample {}/model.flaim -o synthetic.csv`", flags.folder));
    return absl::OkStatus();
  });
}

void AddInit(CLI::App& coordinator, Action& chosen) {
  auto flags = std::make_shared<InitFlags>();
  CLI::App* command = coordinator.add_subcommand(
      "init", "Make a study: its signed manifest, its keys, and an authority that certifies its sites");
  command->add_option("FOLDER", flags->folder, "A new folder, for everything the coordinator keeps")->required();
  command->add_option("--name", flags->name, "What people call the study")->required();
  command->add_option("--address", flags->address, "host:port under which sites reach the coordinator")->required();
  command->add_option("--host", flags->hosts, "Another name or address of the coordinator; may be repeated");
  flags->fit.request.unfit = NameOf(Manifest().unfit);
  AddModelFlags(*command, flags->fit);
  AddMethodFlags(*command, flags->request.method);
  AddParticipationFlags(*command, flags->request);
  AddGroupFlags(*command, flags->group);
  command->add_option("--max-rows", flags->max_rows, "More rows than any site has; public")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  command->add_option("--research-seed", flags->research_seed,
                      "Draw all noise from this seed, to compare with a simulation. NOT private");
  OnCall(*command, flags, chosen, Init);
}

void AddSiteCommand(CLI::App& coordinator, const char* name, const char* about, bool has_site, Action& chosen,
                    absl::Status (*action)(const SiteNameFlags&, Console&)) {
  auto flags = std::make_shared<SiteNameFlags>();
  CLI::App* command = coordinator.add_subcommand(name, about);
  command->add_option("FOLDER", flags->folder, kCoordinatorFolder)->required();
  if (has_site) command->add_option("NAME", flags->site, "The site's name, e.g. hospital-3")->required();
  OnCall(*command, flags, chosen, action);
}

void AddRunCommand(CLI::App& coordinator, const char* name, const char* about, bool may_linger, Action& chosen,
                   absl::Status (*action)(const CoordinatorFlags&, Console&)) {
  auto flags = std::make_shared<CoordinatorFlags>();
  CLI::App* command = coordinator.add_subcommand(name, about);
  command->add_option("FOLDER", flags->folder, kCoordinatorFolder)->required();
  command->add_option("--listen", flags->listen, "host:port for sites [every interface, the port of --address]");
  command->add_option("--status", flags->status, "host:port of the status page and /metrics, or none; port 0: any free")
      ->capture_default_str();
  AddServiceFlags(*command, flags->service);
  command->add_option("--threads", flags->threads, "How many threads to use [all cores]")->check(CLI::Range(1, 1024));
  if (may_linger) {
    command->add_flag("--linger", flags->linger, "Keep the status page up when the study is over, until Ctrl-C");
  }
  OnCall(*command, flags, chosen, action);
}

}  // namespace

void AddCoordinatorCommands(CLI::App& program, Action& chosen) {
  CLI::App* coordinator =
      program.add_subcommand("coordinator", "Lead a study of sites that keep their rows, over the network");
  coordinator->require_subcommand(1);
  AddInit(*coordinator, chosen);
  AddSiteCommand(*coordinator, "invite", "Print a code with which one site can join, once", true, chosen, Invite);
  AddRunCommand(*coordinator, "serve", "Let sites join, until Ctrl-C", false, chosen, Serve);
  AddSiteCommand(*coordinator, "sites", "List the sites and their fingerprints", false, chosen, ListSites);
  AddSiteCommand(*coordinator, "approve", "Make a site that has joined a member, once fingerprints were compared", true,
                 chosen, Approve);
  AddSiteCommand(*coordinator, "reject", "Forget a site that has joined", true, chosen, Reject);
  AddSiteCommand(*coordinator, "journal", "Print, as JSON, what the coordinator has learnt so far: every sum and whose",
                 false, chosen, ShowJournal);
  AddRunCommand(*coordinator, "run",
                "Begin the study with the approved sites, or go on with it wherever it was stopped", true, chosen,
                RunToTheEnd);
  AddRunCommand(*coordinator, "resume", "The same as run", true, chosen, RunToTheEnd);
}

}  // namespace flaim
