#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "CLI/CLI.hpp"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/account_flags.h"
#include "cli/flags/rows_flags.h"
#include "cli/flags/service_flags.h"
#include "cli/interruption.h"
#include "cli/on_call.h"
#include "io/hex.h"
#include "privacy/ledger/ledger_report.h"
#include "runtime/programs/site_doctor.h"
#include "runtime/programs/site_program.h"

namespace flaim {
namespace {

using runtime::SiteFolder;

constexpr const char* kFolder = "Folder of the site, as made by `flaim site join`";
constexpr std::chrono::seconds kAskAgainEvery{1};

struct JoinFlags {
  std::string folder;
  std::string code;
  bool wait = false;
  ServiceFlags service;
};

struct ApproveFlags {
  std::string folder;
  RowsFlags rows;
  AccountFlags account;
  bool takes_any_roster = false;
  std::optional<int> known;
  bool accepts_research = false;
  bool yes = false;
};

struct RosterFlags {
  std::string folder;
  std::string accepted;  // digest
  std::optional<int> known;
};

struct RunFlags {
  std::string folder;
  ServiceFlags service;
};

void Tell(const SiteFolder::Joined& joined, const std::string& folder, Console& console) {
  console.Print(fmt::format("site         {}", joined.site));
  console.Print(fmt::format("fingerprint  {}", joined.fingerprint));
  console.Print(fmt::format("approved     {}", joined.is_approved ? "yes" : "not yet"));
  if (!joined.is_approved) {
    console.Note(
        "read the fingerprint to the coordinator's people, by phone or in person; when theirs is the same they "
        "approve");
    console.Note(fmt::format("then run `flaim site join {}` again, or wait with --wait", folder));
  } else {
    console.Note(
        fmt::format("next: the data steward reads `flaim site show {0}` and runs `flaim site approve {0}`", folder));
  }
}

absl::Status Join(const JoinFlags& flags, Console& console) {
  const Interruption interruption;
  const SystemClock clock;
  absl::StatusOr<SiteFolder::Joined> joined = absl::UnknownError("");
  if (flags.code.empty()) {
    joined = SiteFolder::AskAgain(flags.folder, flags.service.timeout());
  } else {
    ASSIGN_OR_RETURN(const runtime::InviteCode code, runtime::ParseInviteCode(flags.code));
    joined = SiteFolder::Join(flags.folder, code, flags.service.timeout());
  }
  RETURN_IF_ERROR(joined.status());
  Tell(*joined, flags.folder, console);
  while (flags.wait && !joined->is_approved) {
    RETURN_IF_ERROR(Interruption::Check());
    std::this_thread::sleep_for(kAskAgainEvery);
    joined = SiteFolder::AskAgain(flags.folder, flags.service.timeout());
    RETURN_IF_ERROR(joined.status());
    if (joined->is_approved) Tell(*joined, flags.folder, console);
  }
  return absl::OkStatus();
}

absl::Status Show(const RunFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const SiteFolder folder, SiteFolder::Open(flags.folder));
  ASSIGN_OR_RETURN(const runtime::Study study, runtime::OpenStudy(folder.manifest()));
  console.Print(fmt::format("site       {}\nfingerprint {}\nkey        {}", folder.name(), folder.fingerprint(),
                            ToHex(folder.signing_key().verifying_key())));
  console.Print(runtime::Explain(study));
  const absl::StatusOr<SiteFolder::Consent> consent = folder.ReadConsent();
  if (!consent.ok()) {
    console.Print(fmt::format("consent    none: {}", std::string(consent.status().message())));
    return absl::OkStatus();
  }
  console.Print(fmt::format("consent    given, for {}", Describe(consent->rows)));
  if (!std::filesystem::exists(consent->ledger)) {
    console.Print("spent      nothing yet");
    return absl::OkStatus();
  }
  const SystemClock clock;
  ASSIGN_OR_RETURN(const Ledger ledger, Ledger::Open(consent->ledger, clock));
  console.Print(fmt::format("spent      rho {:.6g} of {:.6g} ({})", ledger.spent().ToDouble(),
                            ledger.terms().total.ToDouble(), consent->ledger));
  return absl::OkStatus();
}

bool Confirms(Console& console) {
  console.Note("Do you, for those whose data it is, consent to this study? Type yes:");
  std::string answer;
  return std::getline(std::cin, answer) && answer == "yes";
}

// The file that is meant now, wherever the site is started and wherever links lead by then. `a/../b` is what the system
// makes of it, which is not `b` where a is a link.
std::string Lasting(const std::string& path) {
  std::error_code error;
  const std::filesystem::path lasting = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : lasting.string();
}

absl::Status Approve(const ApproveFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const SiteFolder folder, SiteFolder::Open(flags.folder));
  ASSIGN_OR_RETURN(const runtime::Study study, runtime::OpenStudy(folder.manifest()));
  // Whatever is checked below is what goes on record.
  RowsFlags chosen = flags.rows;
  if (!chosen.csv.empty() && chosen.csv != "-") chosen.csv = Lasting(chosen.csv);
  ASSIGN_OR_RETURN(const RowsLocation rows, LocationOf(chosen));
  AccountFlags account = flags.account;
  if (!account.path.empty()) account.path = Lasting(account.path);
  ASSIGN_OR_RETURN(std::string ledger, LedgerPathOf(account, chosen.csv));
  ledger = Lasting(ledger);
  console.Print(runtime::Explain(study));
  if (study.IsResearch() && !flags.accepts_research) {
    return absl::PermissionDeniedError(
        "this study draws its noise from a seed that everybody knows, so it protects nobody: give --accept-research if "
        "the rows are public");
  }
  if (!flags.yes && !Confirms(console)) return absl::CancelledError("no consent was given, and nothing was changed");
  const SystemClock clock;
  RETURN_IF_ERROR(folder.WriteConsent(
      {.manifest = ToHex(folder.manifest().digest()),
       .rows = rows,
       .ledger = ledger,
       .time_unix_s = std::chrono::duration_cast<std::chrono::seconds>(clock.Now().time_since_epoch()).count(),
       .roster = {.roster = std::nullopt, .is_any = flags.takes_any_roster, .known = flags.known}}));
  if (!study.IsResearch()) {
    Parallel parallel(1);
    WarnOfOtherLedgers(ChargeInRegistry(ledger, NameOf(rows), parallel), console);
  }
  console.Note(fmt::format("the study is paid from {}, as is everything else that uses these rows", ledger));
  console.Note(
      fmt::format("consent is on record; next: `flaim site doctor {0}`, then `flaim site run {0}`", flags.folder));
  return absl::OkStatus();
}

absl::Status AcceptRoster(const SiteFolder& folder, const SiteFolder::KnownRoster& known, const RosterFlags& flags,
                          Console& console) {
  if (flags.accepted != ToHex(known.digest)) {
    return absl::PermissionDeniedError(fmt::format(
        "the roster has another digest than the one that was to be accepted, {}: ask the other sites for theirs, and "
        "consent to nothing before all agree",
        flags.accepted));
  }
  ASSIGN_OR_RETURN(SiteFolder::Consent consent, folder.ReadConsent());
  consent.roster.roster = known.digest;
  if (flags.known) consent.roster.known = flags.known;
  RETURN_IF_ERROR(folder.WriteConsent(consent));
  console.Note(fmt::format("consent to this roster is on record; next: `flaim site run {}`", flags.folder));
  return absl::OkStatus();
}

absl::Status ShowRoster(const RosterFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const SiteFolder folder, SiteFolder::Open(flags.folder));
  ASSIGN_OR_RETURN(const runtime::Study study, runtime::OpenStudy(folder.manifest()));
  ASSIGN_OR_RETURN(const SiteFolder::KnownRoster known, folder.ReadRoster(study));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < known.roster.sites.size(); ++i) {
    rows.push_back(
        {known.roster.sites[i], runtime::IdentityFingerprint(known.roster.requests[i], known.roster.keys[i])});
  }
  console.PrintTable({"site", "fingerprint"}, rows);
  console.Print(fmt::format("digest  {}", ToHex(known.digest)));
  if (!flags.accepted.empty()) return AcceptRoster(folder, known, flags, console);
  console.Note(
      fmt::format("ask the other sites, by phone or in person, whether their digest is the same; then run "
                  "`flaim site roster {} --accept {}`",
                  flags.folder, ToHex(known.digest)));
  return absl::OkStatus();
}

absl::Status Diagnose(const RunFlags& flags, Console& console) {
  const Interruption interruption;
  const SystemClock clock;
  ASSIGN_OR_RETURN(const SiteFolder folder, SiteFolder::Open(flags.folder));
  ProgressLine line(std::cerr, console.ShowsProgress(), clock);
  InterruptibleProgress progress(line);
  const std::vector<runtime::Finding> findings = runtime::ExamineSite(folder, flags.service.timeout(), clock, progress);
  line.Clear();
  RETURN_IF_ERROR(Interruption::Check());
  absl::Status worst = absl::OkStatus();
  for (const runtime::Finding& finding : findings) {
    console.Print(fmt::format("{}  {:<30} {}", finding.status.ok() ? "ok  " : "FAIL", finding.what,
                              finding.status.ok() ? finding.detail : std::string(finding.status.message())));
    if (worst.ok()) worst = finding.status;
  }
  if (worst.ok()) return worst;
  return FailedPrecondition("the site is not ready: see what failed above");
}

absl::Status Run(const RunFlags& flags, Console& console) {
  const Interruption interruption;
  const SystemClock clock;
  runtime::Log log(std::cerr, flags.service.log_format(), clock);
  WarnIfRoot(log);
  Parallel parallel(1, Interruption::requested);
  ProgressLine line(std::cerr, console.ShowsProgress(), clock);
  InterruptibleProgress progress(line);
  ASSIGN_OR_RETURN(const SiteFolder folder, SiteFolder::Open(flags.folder));
  RETURN_IF_ERROR(runtime::RunSite(folder, flags.service.timeout(),
                                   {.software = FLAIM_VERSION,
                                    .clock = clock,
                                    .log = log,
                                    .parallel = parallel,
                                    .progress = progress,
                                    .is_stopping = [] { return Interruption::requested(); },
                                    .research_noise = [](std::uint64_t seed) -> runtime::NoiseByLabel {
                                      return [seed](const std::string& label) {
                                        return std::make_unique<SeededRandomSource>(seed, label);
                                      };
                                    }}));
  console.Note("the study is over");
  return absl::OkStatus();
}

void AddJoin(CLI::App& site, Action& chosen) {
  auto flags = std::make_shared<JoinFlags>();
  CLI::App* command =
      site.add_subcommand("join", "Join a study: make the site's keys here, and apply with the code of an invite");
  command->add_option("FOLDER", flags->folder, "Folder for everything the site keeps of the study")->required();
  command->add_option("CODE", flags->code, "The code of the invite; left out: ask whether the site is approved");
  command->add_flag("--wait", flags->wait, "Wait until the coordinator's people have approved");
  AddTimeoutFlag(*command, flags->service);
  OnCall(*command, flags, chosen, Join);
}

void AddKnownFlag(CLI::App& command, std::optional<int>& known) {
  command
      .add_option("--known", known,
                  "How many other sites of the roster you know to be real and not to work with the coordinator; the "
                  "site draws the noise of the others itself, 0: all of it [all but the manifest's colluders]")
      ->check(CLI::Range(0, 1 << 20));
}

void AddRoster(CLI::App& site, Action& chosen) {
  auto flags = std::make_shared<RosterFlags>();
  CLI::App* command = site.add_subcommand(
      "roster", "Who takes part in the study: names, fingerprints and their digest; and consent to that");
  command->add_option("FOLDER", flags->folder, kFolder)->required();
  command->add_option("--accept", flags->accepted,
                      "Consent to the roster of this digest, once the other sites have the same");
  AddKnownFlag(*command, flags->known);
  OnCall(*command, flags, chosen, ShowRoster);
}

void AddApprove(CLI::App& site, Action& chosen) {
  auto flags = std::make_shared<ApproveFlags>();
  CLI::App* command =
      site.add_subcommand("approve", "The data steward's consent to the study's manifest, for these rows");
  command->add_option("FOLDER", flags->folder, kFolder)->required();
  command->add_option("--data", flags->rows.csv, "The rows: a CSV file, plain or compressed");
  AddPostgresFlags(*command, flags->rows);
  command->add_flag("--count-in-database", flags->rows.counts_in_database,
                    "Have the database count (GROUP BY), for tables larger than memory");
  AddAccountFlags(*command, "DATA.ledger; a database needs one", flags->account);
  command->add_flag("--any-roster", flags->takes_any_roster,
                    "Take part with whichever sites the coordinator names: it is trusted to invent none. Without it, "
                    "`flaim site roster` asks for consent when the study begins");
  AddKnownFlag(*command, flags->known);
  command->add_flag("--accept-research", flags->accepts_research,
                    "Consent to noise from a seed, which protects nobody: for public rows only");
  command->add_flag("--yes", flags->yes, "Do not ask");
  OnCall(*command, flags, chosen, Approve);
}

void AddSimple(CLI::App& site, const char* name, const char* about, bool is_service, Action& chosen,
               absl::Status (*action)(const RunFlags&, Console&)) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* command = site.add_subcommand(name, about);
  command->add_option("FOLDER", flags->folder, kFolder)->required();
  if (is_service) AddServiceFlags(*command, flags->service);
  OnCall(*command, flags, chosen, action);
}

}  // namespace

void AddSiteCommands(CLI::App& program, Action& chosen) {
  CLI::App* site = program.add_subcommand("site", "Take part in a study with rows that stay where they are");
  site->require_subcommand(1);
  AddJoin(*site, chosen);
  AddSimple(*site, "show", "What the study is, what it may cost, and what was spent", false, chosen, Show);
  AddApprove(*site, chosen);
  AddRoster(*site, chosen);
  AddSimple(*site, "doctor", "Check certificate, network, clock, rows and budget, without joining anything", true,
            chosen, Diagnose);
  AddSimple(*site, "run", "Serve in the study, until it is over", true, chosen, Run);
}

}  // namespace flaim
