#include "app/simulation.h"

#include <optional>
#include <variant>

#include "app/request/trace_file.h"
#include "base/status.h"

namespace flaim {
namespace {

// The plan, for the clients that the data has.
absl::StatusOr<RunPlan> PlanFor(const DealtTable& rows, RunPlan plan) {
  if (const auto* trace = std::get_if<Trace>(&plan.availability)) {
    ASSIGN_OR_RETURN(plan.availability, TraceOfClients(*trace, rows.partition, plan.trace_path));
  }
  return plan;
}

// Holds the model of each round against the yardstick, and keeps the first error of that.
class RoundEvaluation final : public RoundSink {
 public:
  RoundEvaluation(const Yardstick& yardstick, EvaluatedRoundSink& sink, Parallel& parallel)
      : yardstick_(yardstick), sink_(sink), parallel_(parallel) {}

  void Report(const RoundReport& report, const Model& model) override {
    const absl::StatusOr<std::optional<WorkloadError>> error = yardstick_.ErrorOf(model, parallel_);
    status_.Update(error.status());
    sink_.Report({report, error.value_or(std::nullopt)});
  }
  bool ShouldStop() override { return !status_.ok(); }

  const absl::Status& status() const { return status_; }

 private:
  const Yardstick& yardstick_;
  EvaluatedRoundSink& sink_;
  Parallel& parallel_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<SimulationOutcome> Simulate(const SimulationSettings& settings, const DealtTable& rows,
                                           const Yardstick& yardstick, Parallel& parallel, EvaluatedRoundSink& rounds) {
  ASSIGN_OR_RETURN(RunPlan plan, PlanFor(rows, settings.fit.plan));
  // One table's noise and model are those of a fit with this seed.
  if (plan.method.IsOneTable()) plan.options.run = RunNameOf(settings.fit, settings.seed);
  RoundEvaluation evaluation(yardstick, rounds, parallel);
  absl::StatusOr<SimulationOutcome> outcome =
      RunSimulation(plan, rows.table, rows.partition, settings.fit.workload, settings.seed, parallel, evaluation,
                    settings.groups, settings.research);
  RETURN_IF_ERROR(evaluation.status());
  RETURN_IF_ERROR(outcome.status());
  StampMethod(settings.fit, outcome->fitted.report);
  if (!settings.ReasonsNotPrivate().empty()) {
    outcome->fitted.report.noise += ", of a method that is NOT PRIVATE itself";
  }
  return outcome;
}

}  // namespace flaim
