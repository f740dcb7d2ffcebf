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

}  // namespace

absl::StatusOr<SimulationOutcome> Simulate(const SimulationSettings& settings, const DealtTable& rows,
                                           Parallel& parallel, RoundSink& rounds) {
  ASSIGN_OR_RETURN(FederatedPlan plan, PlanFor(rows, settings.fit.plan));
  // One table's noise and model are those of a fit with this seed.
  if (plan.method.IsOneTable()) plan.options.run = RunNameOf(settings.fit, settings.seed);
  ASSIGN_OR_RETURN(SimulationOutcome outcome,
                   RunSimulation(plan, rows.table, rows.partition, settings.fit.workload, settings.seed, parallel,
                                 rounds, settings.groups, settings.research));
  StampMethod(settings.fit, outcome.fitted.report);
  if (!settings.ReasonsNotPrivate().empty()) {
    outcome.fitted.report.noise += ", of a method that is NOT PRIVATE itself";
  }
  return outcome;
}

}  // namespace flaim
