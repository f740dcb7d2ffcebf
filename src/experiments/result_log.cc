#include "experiments/result_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <set>
#include <utility>

#include "base/status.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kExperimentFile = "experiment.toml";
constexpr const char* kRunsFile = "runs.jsonl";
constexpr const char* kCostsFile = "costs.jsonl";
constexpr const char* kLockFile = ".lock";
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 32;
constexpr std::size_t kMaxExperimentBytes = std::size_t{1} << 24;

std::string PathIn(const std::string& folder, const char* file) { return (fs::path(folder) / file).string(); }

std::string LineOf(const RunResult& run) {
  Json line;
  line["version"] = kResultsVersion;
  line["settings"] = run.settings;
  if (run.failure.empty()) {
    line["results"] = run.results;
  } else {
    line["failure"] = run.failure;
  }
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string LineOf(const std::string& key, const RunCost& cost) {
  Json line;
  line["settings"] = Json::parse(key);
  line["seconds"] = cost.seconds;
  line["processor_seconds"] = cost.processor_seconds;
  line["peak_megabytes"] = cost.peak_megabytes;
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool ReadLine(const Json& line, std::map<std::string, RunResult>& runs) {
  if (!line.contains("settings") || !line["settings"].is_object() || !line.contains("version")) return false;
  if (line["version"] != kResultsVersion) return true;
  RunResult run{.settings = line["settings"], .results = Json::object(), .failure = ""};
  if (line.contains("failure") && line["failure"].is_string()) {
    run.failure = line["failure"].get<std::string>();
  } else if (line.contains("results") && line["results"].is_object()) {
    run.results = line["results"];
  } else {
    return false;
  }
  std::string key = run.settings.dump();
  runs.insert_or_assign(std::move(key), std::move(run));
  return true;
}

bool ReadLine(const Json& line, std::map<std::string, RunCost>& costs) {
  if (!line.contains("settings")) return false;
  const auto number = [&](const char* name) {
    return line.contains(name) && line[name].is_number() ? line[name].get<double>() : 0;
  };
  costs.insert_or_assign(line["settings"].dump(),
                         RunCost{number("seconds"), number("processor_seconds"), number("peak_megabytes")});
  return true;
}

// What a file of lines holds, and how many of its bytes are whole lines. An absent file holds nothing.
template <typename Values>
absl::StatusOr<std::size_t> ReadLines(const std::string& path, Values& values) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return 0;
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  ASSIGN_OR_RETURN(const std::string text, ReadAll(*source, kMaxFileBytes));
  std::size_t begin = 0;
  for (int number = 1;; ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return begin;
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (line.is_discarded() || !line.is_object() || !ReadLine(line, values)) {
      return absl::DataLossError(fmt::format(
          "{}, line {}: not a line of results; take the line away to have that run repeated", path, number));
    }
    begin = end + 1;
  }
}

absl::StatusOr<FileDescriptor> OpenToAppend(const std::string& path, std::size_t whole_bytes) {
  FileDescriptor file = FileDescriptor::Owned(open(path.c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0666));
  if (!file.is_open()) return FileError(path, "cannot be opened", errno);
  if (ftruncate(file.number(), static_cast<off_t>(whole_bytes)) != 0) {
    return FileError(path, "cannot be shortened to its whole lines", errno);
  }
  return file;
}

absl::Status WriteDurably(const FileDescriptor& file, const std::string& text, const std::string& path) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(file.number(), text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(path, "cannot be written", errno);
    written += static_cast<std::size_t>(count);
  }
  if (fdatasync(file.number()) != 0) return FileError(path, "cannot be made durable", errno);
  return absl::OkStatus();
}

absl::Status WriteWhole(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(path));
  RETURN_IF_ERROR(sink->Write(text));
  return sink->Commit();
}

absl::StatusOr<FileDescriptor> Lock(const std::string& folder) {
  const std::string path = PathIn(folder, kLockFile);
  FileDescriptor lock = FileDescriptor::Owned(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666));
  if (!lock.is_open()) return FileError(path, "cannot be opened", errno);
  if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return FileError(path, "cannot be locked", errno);
    return absl::UnavailableError(fmt::format("{} is in use: another `flaim experiment run` is at work there", folder));
  }
  return lock;
}

// Lines of `values` in the order of the runs, and after them those that no run asks for.
template <typename Values, typename ToLine>
std::string InOrder(std::span<const PlannedRun> runs, const Values& values, const ToLine& to_line) {
  std::string text;
  std::set<std::string> written;
  for (const PlannedRun& run : runs) {
    const auto found = values.find(run.Key());
    if (found != values.end() && written.insert(found->first).second) text += to_line(*found);
  }
  for (const auto& entry : values) {
    if (!written.contains(entry.first)) text += to_line(entry);
  }
  return text;
}

}  // namespace

const RunResult* ExperimentResults::Find(const PlannedRun& run) const {
  const auto found = runs.find(run.Key());
  return found == runs.end() || !found->second.failure.empty() ? nullptr : &found->second;
}

absl::StatusOr<std::unique_ptr<ResultLog>> ResultLog::Open(const std::string& folder,
                                                           const std::string& experiment_toml) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return FileError(folder, "cannot be created", error.value());
  ASSIGN_OR_RETURN(FileDescriptor lock, Lock(folder));
  std::unique_ptr<ResultLog> log(new ResultLog(folder, std::move(lock)));
  RETURN_IF_ERROR(WriteWhole(PathIn(folder, kExperimentFile), experiment_toml));
  ASSIGN_OR_RETURN(const std::size_t run_bytes, ReadLines(PathIn(folder, kRunsFile), log->runs_));
  ASSIGN_OR_RETURN(const std::size_t cost_bytes, ReadLines(PathIn(folder, kCostsFile), log->costs_));
  ASSIGN_OR_RETURN(log->runs_file_, OpenToAppend(PathIn(folder, kRunsFile), run_bytes));
  ASSIGN_OR_RETURN(log->costs_file_, OpenToAppend(PathIn(folder, kCostsFile), cost_bytes));
  return log;
}

bool ResultLog::IsDone(const std::string& key) const {
  const auto found = runs_.find(key);
  return found != runs_.end() && found->second.failure.empty();
}

absl::StatusOr<std::size_t> ResultLog::AddFromSiblings(std::span<const PlannedRun> runs) {
  std::map<std::string, RunResult> found;
  std::map<std::string, RunCost> costs;
  std::error_code error;
  const fs::path own = fs::weakly_canonical(folder_, error);
  for (const fs::directory_entry& entry : fs::directory_iterator(own.parent_path(), error)) {
    if (!entry.is_directory(error) || entry.path() == own) continue;
    // What cannot be read there is not of this experiment's concern.
    (void)ReadLines(PathIn(entry.path().string(), kRunsFile), found);
    (void)ReadLines(PathIn(entry.path().string(), kCostsFile), costs);
  }
  std::size_t added = 0;
  for (const PlannedRun& run : runs) {
    const std::string key = run.Key();
    const auto known = found.find(key);
    if (IsDone(key) || known == found.end() || !known->second.failure.empty()) continue;
    RETURN_IF_ERROR(Add(key, {known->second, costs[key]}));
    ++added;
  }
  return added;
}

absl::Status ResultLog::Add(const std::string& key, const FinishedRun& run) {
  RETURN_IF_ERROR(WriteDurably(costs_file_, LineOf(key, run.cost), PathIn(folder_, kCostsFile)));
  RETURN_IF_ERROR(WriteDurably(runs_file_, LineOf(run.result), PathIn(folder_, kRunsFile)));
  runs_.insert_or_assign(key, run.result);
  costs_.insert_or_assign(key, run.cost);
  return absl::OkStatus();
}

absl::Status ResultLog::Finish(std::span<const PlannedRun> runs) {
  const std::string lines = InOrder(runs, runs_, [](const auto& entry) { return LineOf(entry.second); });
  const std::string costs = InOrder(runs, costs_, [](const auto& entry) { return LineOf(entry.first, entry.second); });
  RETURN_IF_ERROR(WriteWhole(PathIn(folder_, kRunsFile), lines));
  return WriteWhole(PathIn(folder_, kCostsFile), costs);
}

absl::StatusOr<ExperimentResults> ReadResults(const std::string& folder) {
  const std::string path = PathIn(folder, kExperimentFile);
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  ASSIGN_OR_RETURN(const std::string text, ReadAll(*source, kMaxExperimentBytes));
  std::error_code error;
  ASSIGN_OR_RETURN(Experiment experiment,
                   ParseExperiment(text, path, fs::weakly_canonical(folder, error).filename().string()));
  ExperimentResults results{.experiment = std::move(experiment), .runs = {}, .costs = {}};
  RETURN_IF_ERROR(ReadLines(PathIn(folder, kRunsFile), results.runs).status());
  RETURN_IF_ERROR(ReadLines(PathIn(folder, kCostsFile), results.costs).status());
  return results;
}

}  // namespace flaim
