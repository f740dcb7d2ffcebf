#include "app/simulation.h"

#include <variant>

#include "base/status.h"

namespace flaim {
namespace {

// The plan, for the clients that the data has.
absl::StatusOr<FederatedPlan> PlanFor(const DealtTable& rows, FederatedPlan plan) {
  if (const auto* trace = std::get_if<Trace>(&plan.availability)) {
    ASSIGN_OR_RETURN(plan.availability, TraceOfClients(*trace, rows.partition, plan.trace_path));
  }
  return plan;
}

void Stamp(const SimulationSettings& settings, FitReport& report) {
  report.algorithm = settings.plan.title;
  report.derived_from_private_rows = settings.fit.schema.spec().derived_from_private_rows;
  if (!IsPrivate(settings.plan.method)) report.noise += ", of a method that is NOT PRIVATE itself";
}

}  // namespace

absl::StatusOr<SimulationOutcome> Simulate(const SimulationSettings& settings, const DealtTable& rows,
                                           Parallel& parallel, RoundSink& rounds) {
  ASSIGN_OR_RETURN(const FederatedPlan plan, PlanFor(rows, settings.plan));
  ASSIGN_OR_RETURN(SimulationOutcome outcome, RunSimulation(plan, rows.table, rows.partition, settings.fit.workload,
                                                            settings.seed, parallel, rounds, settings.groups));
  Stamp(settings, outcome.fitted.report);
  return outcome;
}

}  // namespace flaim
