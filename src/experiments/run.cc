#include "experiments/run.h"

#include <sys/resource.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include "app/simulation_run.h"
#include "base/status.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

using Json = nlohmann::ordered_json;

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void AddQuality(const ModelQuality& quality, const PreparedRows& rows, Json& results) {
  if (quality.rows_error) {
    results["error"] = quality.rows_error->queries;
    results["closure_error"] = quality.rows_error->closure;
    results["model_error"] = quality.model_error->queries;
    results["model_closure_error"] = quality.model_error->closure;
  }
  if (quality.held_out) {
    results["nll"] = quality.held_out->smoothed_nats;
    results["impossible_records"] = quality.held_out->impossible_records;
  }
  if (quality.auc) {
    results["auc"] = *quality.auc;
    results["true_auc"] = rows.yardstick.true_auc().value();
  }
}

void AddClients(const ClientFigures& clients, const PreparedRows& rows, Json& results) {
  if (const auto heterogeneity = rows.yardstick.heterogeneity()) results["heterogeneity"] = *heterogeneity;
  results["sent_bytes"] = clients.sent_bytes.mean;
  results["received_bytes"] = clients.received_bytes.mean;
  results["bytes"] = clients.sent_bytes.mean + clients.received_bytes.mean;
  results["exchanges"] = clients.exchanges.mean;
  results["took_part"] = clients.took_part;
}

}  // namespace

absl::StatusOr<RunResult> Run(const RunSettings& settings, const PreparedRows& rows, Parallel& parallel) {
  RunResult result{.settings = ToJson(settings), .results = Json::object(), .failure = ""};
  if (!settings.HasMethod()) {
    result.results["heterogeneity"] = rows.yardstick.heterogeneity().value();
    return result;
  }
  ASSIGN_OR_RETURN(const RunPlan plan, PlanOf(settings));
  NoRounds nobody;
  const auto seed = static_cast<std::uint64_t>(settings.seed.value());
  ASSIGN_OR_RETURN(const SimulationOutcome outcome, RunSimulation(plan, rows.data->train, rows.partition, rows.workload,
                                                                  seed, parallel, nobody, {}, settings.research));
  ASSIGN_OR_RETURN(const ModelQuality quality, rows.yardstick.Measure(outcome.fitted.model, seed, parallel));
  AddQuality(quality, rows, result.results);
  if (!plan.method.IsOneTable()) AddClients(outcome.clients, rows, result.results);
  result.results["rounds"] = outcome.fitted.report.rounds;
  result.results["model_cells"] = outcome.fitted.model.tree().cells();
  result.results["epsilon_most"] = EpsilonOf(outcome.clients.most_rho, settings.delta.value());
  return result;
}

FinishedRun RunAndMeasure(const RunSettings& settings, Preparation& preparation, Parallel& parallel) {
  const absl::StatusOr<std::shared_ptr<const PreparedRows>> rows = preparation.Get(settings);
  const auto started = std::chrono::steady_clock::now();
  const double processor_started = ThreadSeconds();
  absl::StatusOr<RunResult> result = rows.ok() ? Run(settings, **rows, parallel) : rows.status();
  FinishedRun finished;
  if (result.ok()) {
    finished.result = *std::move(result);
  } else {
    finished.result = {
        .settings = ToJson(settings), .results = Json::object(), .failure = std::string(result.status().message())};
  }
  finished.cost = {.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(),
                   .processor_seconds = ThreadSeconds() - processor_started,
                   .peak_megabytes = PeakMegabytes()};
  return finished;
}

}  // namespace flaim
