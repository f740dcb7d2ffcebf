#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/experiment.h"
#include "io/file_descriptor.h"
#include "nlohmann/json.hpp"

namespace flaim {

// Changes whenever the same settings would come out differently than before: lines of another version count as not
// there, and are replaced.
inline constexpr int kResultsVersion = 2;

// What came out of a run. `results` holds numbers by name: error (over the workload's queries), closure_error,
// model_error, model_closure_error, nll, impossible_records, auc, true_auc, heterogeneity, sent_bytes, received_bytes
// (means over clients that took part), bytes (both together), exchanges, rounds, took_part, epsilon_most, model_cells.
// A run has those of them that mean something for it. They repeat themselves to the last bit.
struct RunResult {
  nlohmann::ordered_json settings;
  nlohmann::ordered_json results;
  std::string failure;  // why there are none; empty if there are
};

// What it took, which never repeats itself and so is kept apart.
struct RunCost {
  double seconds = 0;
  double processor_seconds = 0;
  double peak_megabytes = 0;  // of the process until then
};

struct FinishedRun {
  RunResult result;
  RunCost cost;
};

// Everything that is known of an experiment. Runs are found by PlannedRun::Key().
struct ExperimentResults {
  Experiment experiment;
  std::map<std::string, RunResult> runs;
  std::map<std::string, RunCost> costs;

  // Nothing if the run is still to come or failed.
  const RunResult* Find(const PlannedRun& run) const;
};

// The folder of an experiment: experiment.toml, runs.jsonl and costs.jsonl, a line for each run. Lines are added as
// runs end and are on disk before Add() returns; a process that is killed while it writes leaves half a line at most,
// which the next one takes away. Finish() puts them in the order of the grid, so the file does not tell in which order,
// or in how many attempts, they were run.
//
// One process at a time: the folder is locked.
class ResultLog {
 public:
  // Creates the folder if needed. Lines that the experiment does not ask for, because it was another when they were
  // written, are kept, after the others.
  static absl::StatusOr<std::unique_ptr<ResultLog>> Open(const std::string& folder, const std::string& experiment_toml);

  // Failed runs are not done.
  bool IsDone(const std::string& key) const;
  // Takes over what another experiment of the same parent folder has found out already, and says how much that is.
  absl::StatusOr<std::size_t> AddFromSiblings(std::span<const PlannedRun> runs);
  absl::Status Add(const std::string& key, const FinishedRun& run);
  absl::Status Finish(std::span<const PlannedRun> runs);

 private:
  ResultLog(std::string folder, FileDescriptor lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::string folder_;
  FileDescriptor lock_;
  FileDescriptor runs_file_;
  FileDescriptor costs_file_;
  std::map<std::string, RunResult> runs_;
  std::map<std::string, RunCost> costs_;
};

// For reports: needs no lock, ignores half a line.
absl::StatusOr<ExperimentResults> ReadResults(const std::string& folder);

}  // namespace flaim
