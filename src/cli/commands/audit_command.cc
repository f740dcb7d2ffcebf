#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "audit/black_box.h"
#include "audit/scratch_folder.h"
#include "audit/subjects.h"
#include "base/parallel.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/number_range.h"
#include "cli/interruption.h"
#include "cli/reports/audit_report.h"
#include "data/rows/table_reader.h"
#include "io/byte_sink.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

struct AuditFlags {
  std::vector<std::string> methods;
  std::vector<std::string> canaries;
  double epsilon = 8;
  double delta = 1e-6;
  AuditSettings settings;
  bool black_box = false;
  std::string with;
  std::string without;
  std::string record;
  std::optional<int> threads;
  std::string output;
  bool json = false;
};

std::vector<std::string> CanaryNames() {
  std::vector<std::string> names;
  for (const Canary& canary : AllCanaries()) names.push_back(canary.name);
  return names;
}

// What an audit would not look at is refused, or somebody would think that it had.
struct Mode {
  const char* flag;
  const char* in_words;
  std::vector<const char*> ignored;
};

absl::Status CheckFlags(const CLI::App& command) {
  static const std::vector<Mode> kModes = {
      {"--with",
       "--with, --without and --record look at model files that are there",
       {"--black-box", "--method", "--canary", "--runs", "--seed"}},
      {"--black-box", "--black-box fits aim, and reads its model files", {"--method"}}};
  for (const Mode& mode : kModes) {
    if (command.count(mode.flag) == 0) continue;
    for (const char* ignored : mode.ignored) {
      if (command.count(ignored) > 0) return InvalidArgument("{}: leave {} out", mode.in_words, ignored);
    }
  }
  return absl::OkStatus();
}

// Stops where Ctrl-C asks for it.
class InterruptibleLine final : public ProgressSink {
 public:
  explicit InterruptibleLine(ProgressLine& line) : line_(line) {}
  void Report(const Progress& progress) override { line_.Report(progress); }
  bool ShouldStop() override { return Interruption::requested(); }

 private:
  ProgressLine& line_;
};

absl::StatusOr<std::vector<AuditResult>> AuditMethods(const AuditFlags& flags, const PrivacyBudget& budget,
                                                      Parallel& parallel, ProgressSink& progress) {
  std::vector<AuditResult> results;
  for (const std::string& method : flags.methods.empty() ? AuditedMethods() : flags.methods) {
    for (const std::string& canary : flags.canaries) {
      ASSIGN_OR_RETURN(const std::vector<Subject> subjects, SubjectsOf(method, FindCanary(canary), budget));
      for (const Subject& subject : subjects) {
        ASSIGN_OR_RETURN(AuditResult result, RunAudit(subject, flags.settings, parallel, progress));
        results.push_back(std::move(result));
      }
    }
  }
  // A method may be audited in several variants, each with all canaries.
  std::stable_sort(results.begin(), results.end(),
                   [](const AuditResult& one, const AuditResult& other) { return one.method < other.method; });
  return results;
}

absl::StatusOr<AuditResult> AuditModels(const std::string& method, const std::string& canary,
                                        const std::vector<std::uint32_t>& record, const ModelFolders& folders,
                                        const PrivacyBudget& budget, Parallel& parallel, ProgressSink& progress) {
  ASSIGN_OR_RETURN(const std::vector<double> with, ScoreModels(folders.with, record, parallel, progress));
  ASSIGN_OR_RETURN(const std::vector<double> without, ScoreModels(folders.without, record, parallel, progress));
  return JudgeModels(method, canary, ClaimOfRho(budget, RhoFor(budget)), with, without);
}

absl::StatusOr<std::vector<AuditResult>> AuditOwnModels(const AuditFlags& flags, const PrivacyBudget& budget,
                                                        Parallel& parallel, ProgressSink& progress) {
  std::vector<AuditResult> results;
  for (const std::string& name : flags.canaries) {
    const Canary canary = FindCanary(name);
    ASSIGN_OR_RETURN(const std::shared_ptr<const ScratchFolder> scratch, ScratchFolder::Make());
    const ModelFolders folders{scratch->path() + "/with", scratch->path() + "/without"};
    std::filesystem::create_directory(folders.with);
    std::filesystem::create_directory(folders.without);
    RETURN_IF_ERROR(FitModels(canary, budget, flags.settings, folders, parallel, progress));
    ASSIGN_OR_RETURN(AuditResult result, AuditModels("aim", name, canary.record, folders, budget, parallel, progress));
    results.push_back(std::move(result));
  }
  return results;
}

absl::StatusOr<std::vector<std::uint32_t>> ReadRecord(const std::string& path, const Schema& schema) {
  ASSIGN_OR_RETURN(const Table table, ReadTable(path, schema));
  if (table.rows() != 1)
    return InvalidArgument("{} has {} rows: give the one record that is looked for", path, table.rows());
  std::vector<std::uint32_t> record;
  for (AttributeIndex column = 0; column < schema.domain().size(); ++column) record.push_back(table.at(0, column));
  return record;
}

absl::StatusOr<std::vector<AuditResult>> AuditForeignModels(const AuditFlags& flags, const PrivacyBudget& budget,
                                                            Parallel& parallel, ProgressSink& progress) {
  if (flags.with.empty() || flags.without.empty() || flags.record.empty()) {
    return InvalidArgument("model files need all three: --with, --without and --record");
  }
  ASSIGN_OR_RETURN(const Schema schema, SchemaOfModels(flags.with, parallel));
  ASSIGN_OR_RETURN(const std::vector<std::uint32_t> record, ReadRecord(flags.record, schema));
  ASSIGN_OR_RETURN(AuditResult result, AuditModels("model files", flags.record, record, {flags.with, flags.without},
                                                   budget, parallel, progress));
  return std::vector<AuditResult>{std::move(result)};
}

absl::StatusOr<std::vector<AuditResult>> FindResults(const AuditFlags& flags, const PrivacyBudget& budget,
                                                     Parallel& parallel, ProgressSink& progress) {
  if (!flags.with.empty() || !flags.without.empty() || !flags.record.empty()) {
    return AuditForeignModels(flags, budget, parallel, progress);
  }
  return flags.black_box ? AuditOwnModels(flags, budget, parallel, progress)
                         : AuditMethods(flags, budget, parallel, progress);
}

absl::Status WritePage(const AuditPage& page, ByteSink& sink) {
  RETURN_IF_ERROR(sink.Write(RenderAudit(page)));
  return sink.Commit();
}

void PrintResults(const std::vector<AuditResult>& results, Console& console) {
  std::vector<std::vector<std::string>> rows;
  for (const AuditResult& result : results) rows.push_back(AuditRow(result));
  console.PrintTable(AuditTitles(), rows);
  for (const AuditResult& result : results) {
    for (const AuditCheck& check : result.checks) {
      if (check.holds) continue;
      console.Print(
          fmt::format("{}, {}, {}: {}: {}", result.method, result.canary, result.attacker, check.name, check.found));
    }
  }
}

absl::Status Verdict(const std::vector<AuditResult>& results) {
  for (const AuditResult& result : results) {
    if (!result.IsKept()) {
      return absl::UnknownError(
          fmt::format("the audit of {} with the canary '{}' failed", result.method, result.canary));
    }
  }
  return absl::OkStatus();
}

absl::Status Audit(AuditFlags flags, Console& console) {
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(flags.epsilon, flags.delta));
  if (flags.canaries.empty()) flags.canaries = CanaryNames();
  std::unique_ptr<ByteSink> page;
  if (!flags.output.empty()) {
    ASSIGN_OR_RETURN(page, CreateFile(flags.output));
  }
  const Interruption interruption;
  const SystemClock clock;
  ProgressLine line(std::cerr, console.ShowsProgress(), clock);
  InterruptibleLine progress(line);
  Parallel parallel(flags.threads.value_or(Parallel::HardwareThreads()));
  ASSIGN_OR_RETURN(const std::vector<AuditResult> results, FindResults(flags, budget, parallel, progress));
  line.Clear();
  if (page != nullptr) RETURN_IF_ERROR(WritePage({flags.epsilon, flags.delta, results}, *page));
  if (flags.json) {
    nlohmann::json json = nlohmann::json::array();
    for (const AuditResult& result : results) json.push_back(ToJson(result));
    console.Print(json.dump(2));
  } else {
    PrintResults(results, console);
  }
  return Verdict(results);
}

}  // namespace

void AddAuditCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<AuditFlags>();
  CLI::App* command =
      program.add_subcommand("audit", "Try to find one record in whole runs, and hold what is found against the claim");
  command->add_option("--method", flags->methods, "What to audit [aim flaim-once augflaim-private]")
      ->check(CLI::IsMember(AuditedMethods()));
  command->add_option("--canary", flags->canaries, "Which record to look for [alone opposed empty unfit]")
      ->check(CLI::IsMember(CanaryNames()));
  command->add_option("--runs", flags->settings.runs, "Runs with the record, and as many without, of each")
      ->capture_default_str()
      ->check(CLI::Range(10, 1'000'000));
  command->add_option("--epsilon", flags->epsilon, "The claim: a larger one takes fewer runs to come near")
      ->capture_default_str();
  command->add_option("--delta", flags->delta, "The claim's probability of a worse loss")->capture_default_str();
  command->add_option("--seed", flags->settings.seed, "Decides about the noise")->capture_default_str();
  command->add_flag("--black-box", flags->black_box,
                    "Fit AIM to the canary's tables, write model files, and look for the record in these alone");
  command->add_option("--with", flags->with, "Folder of model files that were fitted with a record");
  command->add_option("--without", flags->without, "Folder of model files that were fitted without it");
  command->add_option("--record", flags->record, "CSV file with the header and that one record");
  command->add_option("--threads", flags->threads, "How many threads to use [all cores]")->check(CLI::Range(1, 1024));
  command->add_option("-o,--output", flags->output, "HTML page with a picture of each trade-off curve [none]");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags, command, &chosen] {
    chosen = [flags, command](Console& console) -> absl::Status {
      RETURN_IF_ERROR(CheckFlags(*command));
      return Audit(*flags, console);
    };
  });
}

}  // namespace flaim
