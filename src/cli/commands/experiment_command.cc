#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/clock.h"
#include "base/parallel.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/data_folder_flag.h"
#include "datasets/data_folder.h"
#include "experiments/grid_run.h"
#include "experiments/report/report.h"
#include "fmt/chrono.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxExperimentBytes = std::size_t{1} << 24;
constexpr const char* kCacheFolder = ".cache";

struct ExperimentFlags {
  std::vector<std::string> files;
  std::string output = "results";
  std::string data_dir;
  std::optional<int> threads;
  bool dry_run = false;
};

struct ReportFlags {
  std::string folder;
  std::string output;
};

struct ExperimentFile {
  std::string toml;
  Experiment experiment;
};

absl::StatusOr<ExperimentFile> ReadExperimentFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  ExperimentFile file;
  ASSIGN_OR_RETURN(file.toml, ReadAll(*source, kMaxExperimentBytes));
  ASSIGN_OR_RETURN(file.experiment, ParseExperiment(file.toml, path, fs::path(path).stem().string()));
  return file;
}

absl::StatusOr<std::vector<ExperimentFile>> ReadExperimentFiles(const std::vector<std::string>& paths) {
  std::vector<ExperimentFile> files;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(ExperimentFile file, ReadExperimentFile(path));
    const auto is_same = [&](const ExperimentFile& other) { return other.experiment.name == file.experiment.name; };
    if (std::any_of(files.begin(), files.end(), is_same)) {
      return InvalidArgument("two files are called {}.toml, and their results would share a folder: rename one",
                             file.experiment.name);
    }
    files.push_back(std::move(file));
  }
  return files;
}

// Noticed before the first run, and not hours later.
absl::Status CheckDatasets(const std::vector<ExperimentFile>& files, const std::string& folder) {
  std::set<std::string> names;
  for (const ExperimentFile& file : files) {
    for (const PlannedRun& run : file.experiment.runs) names.insert(run.settings.dataset);
  }
  std::string absent;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const DatasetEntry entry, FindDataset(name));
    if (!IsPresent(entry, folder)) absent += fmt::format("\n  {} ({}): {}", entry.name, entry.file, entry.origin);
  }
  if (absent.empty()) return absl::OkStatus();
  return absl::NotFoundError(
      fmt::format("{} does not hold all datasets that are needed; name the folder that does with --data-dir or the "
                  "environment variable FLAIM_DATA. The absent ones are:{}",
                  folder, absent));
}

absl::StatusOr<std::unique_ptr<Crew>> MakeCrew(const ExperimentFlags& flags) {
  if (IsStartedByMpi()) return MpiCrew();
  return ThreadCrew(flags.threads.value_or(Parallel::HardwareThreads()));
}

std::string InWords(const GridProgress& progress) {
  std::string words = fmt::format("{} runs", progress.runs);
  if (progress.had > 0) words += fmt::format(", {} of them known already", progress.had);
  if (progress.failed > 0) words += fmt::format(", {} FAILED", progress.failed);
  return words;
}

absl::Status RunOne(const ExperimentFile& file, const ExperimentFlags& flags, Preparation& preparation, Crew& crew,
                    ProgressLine& line, Console& console) {
  const std::string folder = (fs::path(flags.output) / file.experiment.name).string();
  if (crew.IsLeader()) console.Note(fmt::format("{}: {}", file.experiment.name, file.experiment.title));
  const auto report = [&](const GridProgress& progress) {
    line.Report({.step = "run", .done = progress.done, .total = progress.runs - progress.had, .detail = progress.last});
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(const GridProgress progress, RunGrid(file.experiment, file.toml, folder, preparation, crew, report));
  line.Clear();
  if (!crew.IsLeader()) return absl::OkStatus();
  console.Print(fmt::format("{}: {}, in {}", file.experiment.name, InWords(progress), folder));
  if (progress.failed == 0) return absl::OkStatus();
  return absl::AbortedError(
      fmt::format("{} runs of {} failed; the \"failure\" in their lines of {}/runs.jsonl says why", progress.failed,
                  file.experiment.name, folder));
}

absl::Status RunExperiments(const ExperimentFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const std::vector<ExperimentFile> files, ReadExperimentFiles(flags.files));
  if (IsStartedByMpi() && (flags.dry_run || flags.threads)) {
    return InvalidArgument("under mpirun each process does one run at a time: leave out --dry-run and --threads");
  }
  if (flags.dry_run) {
    for (const ExperimentFile& file : files) {
      for (const PlannedRun& run : file.experiment.runs) console.Print(run.Key());
      console.Note(fmt::format("{}: {} runs", file.experiment.name, file.experiment.runs.size()));
    }
    return absl::OkStatus();
  }
  const std::string data_folder = DataFolderOf(flags.data_dir);
  RETURN_IF_ERROR(CheckDatasets(files, data_folder));
  ASSIGN_OR_RETURN(const std::unique_ptr<Crew> crew, MakeCrew(flags));
  const SystemClock clock;
  ProgressLine line(std::cerr, crew->IsLeader() && console.ShowsProgress(), clock);
  Preparation preparation(data_folder, (fs::path(flags.output) / kCacheFolder).string(),
                          IsStartedByMpi() ? 1 : crew->workers(), line);
  if (crew->IsLeader()) {
    console.Note("Stop it whenever you like: what is done is kept, and the same command goes on from there.");
  }
  absl::Status status;
  for (const ExperimentFile& file : files) {
    const absl::Status one = RunOne(file, flags, preparation, *crew, line, console);
    if (!one.ok() && status.ok()) status = one;
  }
  if (crew->IsLeader()) console.Note(fmt::format("`flaim experiment report {}` makes a page of it", flags.output));
  return status;
}

// The folder itself if it is an experiment's, else those in it that are, by name.
absl::StatusOr<std::vector<ExperimentResults>> ReadAllResults(const std::string& folder) {
  std::vector<std::string> folders;
  std::error_code error;
  if (fs::exists(fs::path(folder) / "experiment.toml", error)) {
    folders.push_back(folder);
  } else {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (fs::exists(entry.path() / "experiment.toml", error)) folders.push_back(entry.path().string());
    }
  }
  if (folders.empty()) {
    return absl::NotFoundError(
        fmt::format("{} holds no results: `flaim experiment run FILE.toml -o {}` makes some", folder, folder));
  }
  std::sort(folders.begin(), folders.end());
  std::vector<ExperimentResults> all;
  for (const std::string& each : folders) {
    ASSIGN_OR_RETURN(all.emplace_back(), ReadResults(each));
  }
  return all;
}

absl::Status Report(const ReportFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const std::vector<ExperimentResults> results, ReadAllResults(flags.folder));
  const std::string path = flags.output.empty() ? (fs::path(flags.folder) / "report.html").string() : flags.output;
  const SystemClock clock;
  const ReportOptions options{.title = "FLAIM: the paper's experiments, and ours",
                              .version = FLAIM_VERSION,
                              .made = fmt::format("{:%Y-%m-%d}", fmt::gmtime(clock.Now()))};
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> output, CreateFile(path));
  RETURN_IF_ERROR(output->Write(RenderReport(results, options)));
  RETURN_IF_ERROR(output->Commit());
  if (path != "-") console.Print(fmt::format("{} experiment(s) in {}", results.size(), path));
  return absl::OkStatus();
}

void AddRun(CLI::App& experiment, Action& chosen) {
  auto flags = std::make_shared<ExperimentFlags>();
  CLI::App* command = experiment.add_subcommand(
      "run", "Do the runs of experiment files that are not done yet. Under mpirun, on all its processes");
  command->add_option("FILE", flags->files, "Experiment files, such as experiments/table2.toml")->required();
  command->add_option("-o,--output", flags->output, "Folder for the results, one inside it for each file")
      ->capture_default_str();
  command->add_option("--data-dir", flags->data_dir, kDataDirHelp);
  command->add_option("--threads", flags->threads, "Runs to do at a time [as many as there are cores]")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--dry-run", flags->dry_run, "Print the settings of all runs, a line each, and run none");
  command->callback(
      [flags, &chosen] { chosen = [flags](Console& console) { return RunExperiments(*flags, console); }; });
}

void AddReport(CLI::App& experiment, Action& chosen) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* command = experiment.add_subcommand("report", "Make one HTML page of all tables and plots");
  command
      ->add_option("DIR", flags->folder, "What `flaim experiment run -o` was given, or one experiment's folder in it")
      ->required();
  command->add_option("-o,--output", flags->output, "The page; - is standard output [DIR/report.html]");
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return Report(*flags, console); }; });
}

}  // namespace

void AddExperimentCommands(CLI::App& program, Action& chosen) {
  CLI::App* experiment =
      program.add_subcommand("experiment", "Repeat the paper's experiments, or make your own. For research");
  experiment->require_subcommand(1);
  AddRun(*experiment, chosen);
  AddReport(*experiment, chosen);
}

}  // namespace flaim
