#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/clock.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/data_folder_flag.h"
#include "cli/flags/number_range.h"
#include "datasets/catalogue.h"
#include "datasets/data_folder.h"
#include "datasets/prepared_dataset.h"
#include "datasets/prepared_files.h"
#include "datasets/synthfs.h"
#include "marginal/workload_spec.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

constexpr std::size_t kWorkloadQueries = 64;
constexpr int kWorkloadAttributes = 3;

struct DataFlags {
  std::string name;
  std::string output;
  std::string data_dir;
  std::uint64_t seed = 0;
  std::optional<double> beta;
  std::optional<std::size_t> clients;
  bool json = false;
};

nlohmann::json ToJson(const DatasetEntry& entry, const std::string& folder) {
  nlohmann::json json = {{"name", entry.name},
                         {"title", entry.title},
                         {"rows", entry.rows},
                         {"used_rows", entry.used_rows},
                         {"share", entry.share},
                         {"columns", entry.columns},
                         {"origin", entry.origin},
                         {"remark", entry.remark},
                         {"has_clients", entry.has_clients},
                         {"is_generated", entry.IsGenerated()}};
  json["label"] = entry.label.empty() ? nlohmann::json() : nlohmann::json(entry.label);
  if (!entry.IsGenerated()) {
    json["file"] = entry.file;
    json["sha256"] = entry.sha256;
    json["is_present"] = IsPresent(entry, folder);
  }
  return json;
}

std::string PresenceInWords(const DatasetEntry& entry, const std::string& folder) {
  if (entry.IsGenerated()) return "generated";
  return IsPresent(entry, folder) ? "yes" : "NO";
}

std::string RemarkInWords(const DatasetEntry& entry) {
  if (!entry.remark.empty()) return entry.remark;
  if (entry.used_rows != entry.rows) return fmt::format("the paper uses {} of the rows", entry.used_rows);
  return entry.has_clients ? "with its clients" : "";
}

absl::Status ListDatasets(const DataFlags& flags, Console& console) {
  const std::string folder = DataFolderOf(flags.data_dir);
  if (flags.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const DatasetEntry& entry : AllDatasets()) list.push_back(ToJson(entry, folder));
    console.Print(list.dump(2));
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> lines;
  bool some_absent = false;
  for (const DatasetEntry& entry : AllDatasets()) {
    some_absent = some_absent || !IsPresent(entry, folder);
    lines.push_back({entry.name, fmt::format("{}", entry.rows), fmt::format("{}", entry.columns), entry.label,
                     PresenceInWords(entry, folder), RemarkInWords(entry)});
  }
  console.PrintTable({"dataset", "rows", "columns", "label", "present", "remark"}, lines);
  console.Note(fmt::format("\nlooked for in {}", folder));
  if (!some_absent) return absl::OkStatus();
  console.Note("Where the absent ones come from:");
  for (const DatasetEntry& entry : AllDatasets()) {
    if (IsPresent(entry, folder)) continue;
    console.Note(fmt::format("  {} ({}): {}", entry.name, entry.file, entry.origin));
  }
  console.Note("Name another folder with --data-dir or the environment variable FLAIM_DATA.");
  return absl::OkStatus();
}

absl::StatusOr<PrepareOptions> OptionsFor(const DatasetEntry& entry, const DataFlags& flags) {
  if (!entry.IsGenerated() && (flags.beta || flags.clients)) {
    return InvalidArgument("--beta and --clients are for datasets that are generated here, and {} is read from a file",
                           entry.name);
  }
  PrepareOptions options{.seed = flags.seed};
  options.beta = flags.beta.value_or(options.beta);
  options.clients = flags.clients.value_or(options.clients);
  return options;
}

absl::StatusOr<Workload> WorkloadFor(const PreparedDataset& dataset, std::uint64_t seed) {
  if (dataset.workload) return *dataset.workload;
  return MakeWorkload(
      dataset.schema.domain(),
      RandomKWaySpec{.count = kWorkloadQueries, .k = kWorkloadAttributes, .seed = seed, .cell_limit = std::nullopt});
}

// As a shell takes it for one word.
std::string ShellWord(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("/._-+=:,@").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string SimulateCommand(const PreparedDataset& dataset, const std::string& folder) {
  const auto file = [&](const char* name) { return ShellWord((std::filesystem::path(folder) / name).string()); };
  return fmt::format(
      "flaim simulate {} --schema {} --workload {} --test {} --partition {} --method flaim-once --epsilon 1 --delta "
      "1e-5 "
      "--seed 1 --evaluate",
      file("train.csv"), file("schema.toml"), file("workload.json"), file("test.csv"),
      dataset.clients ? fmt::format("column:{}", kClientColumn) : "iid:100");
}

absl::Status Prepare(const DataFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const DatasetEntry entry, FindDataset(flags.name));
  ASSIGN_OR_RETURN(const PrepareOptions options, OptionsFor(entry, flags));
  const SystemClock clock;
  ProgressLine progress(std::cerr, console.ShowsProgress(), clock);
  ASSIGN_OR_RETURN(const PreparedDataset dataset,
                   PrepareDataset(entry, DataFolderOf(flags.data_dir), options, progress));
  ASSIGN_OR_RETURN(const Workload workload, WorkloadFor(dataset, flags.seed));
  RETURN_IF_ERROR(WritePreparedDataset(dataset, workload, flags.output, flags.seed, progress));
  progress.Clear();
  console.Note(fmt::format("{}: {} training rows, {} test rows, {} columns{}, {} marginals", entry.title,
                           dataset.train.rows(), dataset.test.rows(), dataset.schema.domain().size(),
                           dataset.clients ? fmt::format(", {} clients", dataset.clients->clients) : "",
                           workload.size()));
  if (!entry.remark.empty()) console.Warn(fmt::format("Say with every figure: {} is {}.", entry.title, entry.remark));
  console.Note("Use it so:");
  console.Print(SimulateCommand(dataset, flags.output));
  return absl::OkStatus();
}

std::string ExplainUnknownDataset(const std::string& name) {
  const absl::StatusOr<DatasetEntry> entry = FindDataset(name);
  return entry.ok() ? std::string() : std::string(entry.status().message());
}

}  // namespace

void AddDataCommands(CLI::App& program, Action& chosen) {
  CLI::App* data = program.add_subcommand("data", "The datasets of the paper: which are there, and ready for use");
  data->require_subcommand(1);

  auto list_flags = std::make_shared<DataFlags>();
  CLI::App* list = data->add_subcommand("list", "Which datasets there are, and whether their files are present");
  list->add_option("--data-dir", list_flags->data_dir, kDataDirHelp);
  list->add_flag("--json", list_flags->json, "Print JSON, with origins and hashes");
  list->callback([list_flags, &chosen] {
    chosen = [list_flags](Console& console) { return ListDatasets(*list_flags, console); };
  });

  auto flags = std::make_shared<DataFlags>();
  CLI::App* prepare = data->add_subcommand(
      "prepare", "Write a dataset as training rows, test rows, schema and workload, and the command that uses them");
  prepare->add_option("NAME", flags->name, "The dataset: see flaim data list")
      ->required()
      ->check(CLI::Validator(ExplainUnknownDataset, ""));
  prepare->add_option("-o,--output", flags->output, "Folder for the files; made if it is not there")->required();
  prepare
      ->add_option("--seed", flags->seed,
                   "Of the subsample, the split, the workload, numbers within their bins, and SynthFS")
      ->capture_default_str();
  prepare->add_option("--data-dir", flags->data_dir, kDataDirHelp);
  prepare->add_option("--beta", flags->beta, "SynthFS: the skew of the means; larger is less heterogeneous [2]")
      ->check(Between(0, kSynthFsMaxBeta));
  prepare->add_option("--clients", flags->clients, "SynthFS: how many clients, of 500 rows each [100]")
      ->check(CLI::Range(std::size_t{1}, kSynthFsMaxClients));
  prepare->callback([flags, &chosen] { chosen = [flags](Console& console) { return Prepare(*flags, console); }; });

  AddEmbedCommand(*data, chosen);
}

}  // namespace flaim
