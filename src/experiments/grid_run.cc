#include "experiments/grid_run.h"

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/parallel.h"
#include "base/status.h"
#include "experiments/run.h"

namespace flaim {
namespace {

using Json = nlohmann::ordered_json;

// What travels from who did a run to who keeps the results.
std::string Pack(const FinishedRun& run) {
  const Json json = {{"settings", run.result.settings},
                     {"results", run.result.results},
                     {"failure", run.result.failure},
                     {"seconds", run.cost.seconds},
                     {"processor_seconds", run.cost.processor_seconds},
                     {"peak_megabytes", run.cost.peak_megabytes}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Refuses the outcome of another run: a process that was started with another experiment file would send one.
absl::StatusOr<FinishedRun> Unpack(const std::string& text, const PlannedRun& planned) {
  const Json json = Json::parse(text, nullptr, false);
  CHECK(json.is_object(), "a run came back as something else");
  if (json["settings"].dump() != planned.Key()) {
    return FailedPrecondition("a process did another run than it was asked for: do all have the same experiment file?");
  }
  return FinishedRun{.result = {.settings = json["settings"],
                                .results = json["results"],
                                .failure = json["failure"].get<std::string>()},
                     .cost = {.seconds = json["seconds"].get<double>(),
                              .processor_seconds = json["processor_seconds"].get<double>(),
                              .peak_megabytes = json["peak_megabytes"].get<double>()}};
}

std::string InWords(const PlannedRun& run) {
  std::string words =
      run.method.empty() ? run.settings.dataset : fmt::format("{} on {}", run.method, run.settings.dataset);
  if (run.settings.seed) words += fmt::format(", seed {}", *run.settings.seed);
  return words;
}

// Places of the runs, each kind of run once.
std::vector<std::size_t> DistinctRuns(const Experiment& experiment) {
  std::set<std::string> seen;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < experiment.runs.size(); ++place) {
    if (seen.insert(experiment.runs[place].Key()).second) places.push_back(place);
  }
  return places;
}

absl::StatusOr<std::unique_ptr<ResultLog>> OpenLog(const Experiment& experiment, const std::string& experiment_toml,
                                                   const std::string& folder) {
  ASSIGN_OR_RETURN(std::unique_ptr<ResultLog> log, ResultLog::Open(folder, experiment_toml));
  RETURN_IF_ERROR(log->AddFromSiblings(experiment.runs).status());
  return log;
}

}  // namespace

absl::StatusOr<GridProgress> RunGrid(const Experiment& experiment, const std::string& experiment_toml,
                                     const std::string& folder, Preparation& preparation, Crew& crew,
                                     const GridObserver& observer) {
  const Crew::Work work = [&](std::size_t place) {
    Parallel one_thread(1);
    return Pack(RunAndMeasure(experiment.runs[place].settings, preparation, one_thread));
  };
  if (!crew.IsLeader()) {
    RETURN_IF_ERROR(crew.Do({}, work, [](std::size_t, const std::string&) { return absl::OkStatus(); }));
    return GridProgress{};
  }

  absl::StatusOr<std::unique_ptr<ResultLog>> opened = OpenLog(experiment, experiment_toml, folder);
  if (!opened.ok()) {
    // The others wait for jobs.
    RETURN_IF_ERROR(crew.Do({}, work, [](std::size_t, const std::string&) { return absl::OkStatus(); }));
    return opened.status();
  }
  ResultLog& log = **opened;
  std::vector<std::size_t> todo = DistinctRuns(experiment);
  GridProgress progress;
  progress.runs = todo.size();
  std::erase_if(todo, [&](std::size_t place) { return log.IsDone(experiment.runs[place].Key()); });
  progress.had = progress.runs - todo.size();
  const Crew::Collect keep = [&](std::size_t place, const std::string& outcome) -> absl::Status {
    const PlannedRun& planned = experiment.runs[place];
    ASSIGN_OR_RETURN(const FinishedRun run, Unpack(outcome, planned));
    RETURN_IF_ERROR(log.Add(planned.Key(), run));
    ++progress.done;
    if (!run.result.failure.empty()) ++progress.failed;
    progress.last = InWords(planned);
    return observer(progress);
  };
  RETURN_IF_ERROR(crew.Do(todo, work, keep));
  RETURN_IF_ERROR(log.Finish(experiment.runs));
  return progress;
}

}  // namespace flaim
