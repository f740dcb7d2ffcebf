#include "experiments/report/results_view.h"

#include <algorithm>
#include <cmath>

#include "datasets/catalogue.h"
#include "fmt/format.h"

namespace flaim {
namespace {

template <typename Predicate>
RunSelection Filter(const std::vector<const ViewedRun*>& runs, Predicate keep) {
  std::vector<const ViewedRun*> kept;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(kept), [&](const ViewedRun* run) { return keep(*run); });
  return RunSelection(std::move(kept));
}

std::vector<ViewedRun> ViewRuns(const ExperimentResults& results) {
  std::vector<ViewedRun> runs;
  for (const PlannedRun& planned : results.experiment.runs) {
    const std::string key = planned.Key();
    ViewedRun& run = runs.emplace_back();
    run.method = planned.method;
    run.settings = ToJson(planned.settings);
    if (const auto found = results.runs.find(key); found != results.runs.end()) {
      run.failure = found->second.failure;
      if (run.failure.empty()) run.results = found->second.results;
    }
    if (const auto cost = results.costs.find(key); cost != results.costs.end()) run.cost = cost->second;
  }
  return runs;
}

}  // namespace

KeyValue ViewedRun::Get(std::string_view key) const {
  if (key == "method") return method;
  const auto found = settings.find(std::string(key));
  return found == settings.end() ? KeyValue() : *found;
}

std::optional<double> ViewedRun::Result(std::string_view name) const {
  if (!IsDone()) return std::nullopt;
  const auto found = results.find(std::string(name));
  if (found == results.end() || !found->is_number() || !std::isfinite(found->get<double>())) return std::nullopt;
  return found->get<double>();
}

int RunSelection::Done() const {
  return static_cast<int>(std::count_if(runs_.begin(), runs_.end(), [](const auto* run) { return run->IsDone(); }));
}

int RunSelection::Failed() const {
  return static_cast<int>(std::count_if(runs_.begin(), runs_.end(), [](const auto* run) { return run->HasFailed(); }));
}

std::string RunSelection::FirstFailure() const {
  const auto found = std::find_if(runs_.begin(), runs_.end(), [](const auto* run) { return run->HasFailed(); });
  return found == runs_.end() ? "" : (*found)->failure;
}

RunSelection RunSelection::Where(std::string_view key, const KeyValue& value) const {
  return Filter(runs_, [&](const ViewedRun& run) { return run.Get(key) == value; });
}

RunSelection RunSelection::WhereOrAbsent(std::string_view key, const KeyValue& value) const {
  if (key.empty() || value.is_null()) return *this;
  return Filter(runs_, [&](const ViewedRun& run) {
    const KeyValue own = run.Get(key);
    return own.is_null() || own == value;
  });
}

RunSelection RunSelection::WhereAnnealed(bool is_annealed) const {
  return Filter(runs_, [&](const ViewedRun& run) { return run.IsAnnealed() == is_annealed; });
}

std::vector<KeyValue> RunSelection::Values(std::string_view key) const {
  std::vector<KeyValue> values;
  for (const ViewedRun* run : runs_) {
    const KeyValue value = run->Get(key);
    if (!value.is_null() && std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  std::stable_sort(values.begin(), values.end(), [](const KeyValue& a, const KeyValue& b) {
    if (a.is_number() != b.is_number()) return a.is_number();
    return a.is_number() && a.get<double>() < b.get<double>();
  });
  return values;
}

bool RunSelection::AllHaveOrLack(std::string_view key, const KeyValue& value) const {
  return std::all_of(runs_.begin(), runs_.end(), [&](const ViewedRun* run) {
    const KeyValue own = run->Get(key);
    return own.is_null() || own == value;
  });
}

std::vector<double> RunSelection::Results(std::string_view name) const {
  std::vector<double> results;
  for (const ViewedRun* run : runs_) {
    if (const std::optional<double> result = run->Result(name)) results.push_back(*result);
  }
  return results;
}

std::optional<Summary> RunSelection::Summarise(std::string_view name) const { return flaim::Summarise(Results(name)); }

ResultsView::ResultsView(const ExperimentResults& results) : ResultsView(results.experiment, ViewRuns(results)) {}

ResultsView::ResultsView(const Experiment& experiment, std::vector<ViewedRun> runs)
    : experiment_(&experiment), runs_(std::move(runs)) {
  const auto position = [&](const ViewedRun& run) {
    return std::find(experiment.methods.begin(), experiment.methods.end(), run.method) - experiment.methods.begin();
  };
  std::stable_sort(runs_.begin(), runs_.end(),
                   [&](const ViewedRun& a, const ViewedRun& b) { return position(a) < position(b); });
}

RunSelection ResultsView::All() const {
  std::vector<const ViewedRun*> all;
  all.reserve(runs_.size());
  for (const ViewedRun& run : runs_) all.push_back(&run);
  return RunSelection(std::move(all));
}

bool ResultsView::IsOurs(std::string_view method) const {
  return std::find(experiment_->ours.begin(), experiment_->ours.end(), method) != experiment_->ours.end();
}

bool ResultsView::IsCentral(std::string_view method) const {
  bool has_runs = false;
  for (const ViewedRun& run : runs_) {
    if (run.method != method) continue;
    if (run.IsFederated()) return false;
    has_runs = true;
  }
  return has_runs;
}

std::vector<std::string> RemarksOf(const RunSelection& runs) {
  std::vector<std::string> remarks;
  for (const KeyValue& value : runs.Values("dataset")) {
    const auto dataset = FindDataset(value.get<std::string>());
    if (dataset.ok() && !dataset->remark.empty()) {
      remarks.push_back(fmt::format("{}: {}.", dataset->title, dataset->remark));
    }
  }
  return remarks;
}

}  // namespace flaim
