#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/report/statistics.h"
#include "experiments/result_log.h"
#include "nlohmann/json.hpp"

namespace flaim {

// Of a setting or of "method"; null if the run has no such setting: then it would be the same for all its values.
using KeyValue = nlohmann::ordered_json;

// A run of an experiment, and what is known of it.
struct ViewedRun {
  std::string method;
  nlohmann::ordered_json settings;
  nlohmann::ordered_json results;  // null unless it is done
  std::string failure;             // empty unless it failed
  std::optional<RunCost> cost;

  bool IsDone() const { return results.is_object(); }
  bool HasFailed() const { return !failure.empty(); }
  bool IsFederated() const { return !Get("partition").is_null(); }
  // Rounds end when they teach little, instead of after a fixed number.
  bool IsAnnealed() const { return Get("rounds").is_string(); }

  KeyValue Get(std::string_view key) const;
  // Nothing if there is no such result, or if it is no finite number.
  std::optional<double> Result(std::string_view name) const;
};

// Some of the runs, in the order of the experiment. They belong to a ResultsView, which must outlive this.
class RunSelection {
 public:
  explicit RunSelection(std::vector<const ViewedRun*> runs) : runs_(std::move(runs)) {}

  const std::vector<const ViewedRun*>& Runs() const& { return runs_; }
  const std::vector<const ViewedRun*>& Runs() && = delete;  // would go with the temporary
  int Size() const { return static_cast<int>(runs_.size()); }
  int Done() const;
  int Failed() const;
  // Why the first of them failed; empty if none did.
  std::string FirstFailure() const;

  RunSelection Where(std::string_view key, const KeyValue& value) const;
  // Also those without that setting. All of them if the key is empty or the value null.
  RunSelection WhereOrAbsent(std::string_view key, const KeyValue& value) const;
  RunSelection WhereAnnealed(bool is_annealed) const;

  // Each once, without null: numbers from small to large, then texts as they come.
  std::vector<KeyValue> Values(std::string_view key) const;
  // Whether each either has that value or has no such setting.
  bool AllHaveOrLack(std::string_view key, const KeyValue& value) const;

  std::vector<double> Results(std::string_view name) const;
  std::optional<Summary> Summarise(std::string_view name) const;

 private:
  std::vector<const ViewedRun*> runs_;
};

// An experiment as its report sees it. The experiment must outlive this.
class ResultsView {
 public:
  // Runs come in the order of the methods in the file.
  explicit ResultsView(const ExperimentResults& results);
  ResultsView(const Experiment& experiment, std::vector<ViewedRun> runs);

  const Experiment& Plan() const { return *experiment_; }
  RunSelection All() const;
  bool IsOurs(std::string_view method) const;
  // No run of it has clients.
  bool IsCentral(std::string_view method) const;

 private:
  const Experiment* experiment_;
  std::vector<ViewedRun> runs_;
};

// "Credit (subset): a genuine subset ...", for each dataset of these runs that says so.
std::vector<std::string> RemarksOf(const RunSelection& runs);

}  // namespace flaim
