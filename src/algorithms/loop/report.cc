#include "algorithms/loop/report.h"

#include <cmath>

#include "algorithms/loop/error_bounds.h"
#include "base/status.h"

namespace flaim {
namespace {

// Bounds are about a table: where the rows of a sum change from round to round, there are none.
absl::StatusOr<std::vector<ErrorBound>> BoundsOf(const MethodRun& run, const RunState& state) {
  if (!state.last_selection) return std::vector<ErrorBound>();
  const LastSelection& selection = *state.last_selection;
  const std::vector<Measurement> measurements = state.released.AsMeasured();
  if (measurements.back().clique != state.candidates[selection.selected].clique) {
    return std::vector<ErrorBound>();
  }
  const LastRound last{.affordable = selection.affordable,
                       .selected = selection.selected,
                       .noisy = measurements.back().values,
                       .sigma = std::sqrt(measurements.back().variance),
                       .penalty_records_per_cell = selection.penalty_records_per_cell,
                       .score_noise_records = selection.score_noise_records,
                       .before = &state.ModelAtChoice()};
  return BoundErrors(state.candidates, *state.model, measurements, last, run.options.confidence, run.parallel);
}

// However much they counted in the fit, what is reported is how noisy they are.
std::vector<Measurement> ReportedMeasurements(const MethodRun& run, const RunState& state) {
  const Weighting weighting =
      run.method.weighting == Weighting::kInverseSigma ? Weighting::kNoisySizes : run.method.weighting;
  return MergeMeasurements(state.Weighted(run, weighting, state.model->total()));
}

}  // namespace

RoundReport ReportOfRound(const RoundSpending& spending, const Group& group, std::size_t chosen_before,
                          const MethodRun& run, const RunState& state) {
  RoundReport report;
  report.round = state.rounds;
  report.rounds = run.plan.PlannedRounds();
  report.members = group.members;
  report.chosen.assign(state.choices.begin() + static_cast<std::ptrdiff_t>(chosen_before), state.choices.end());
  const double paid = spending.sigma_squared           ? spending.Sigma()
                      : spending.one_way_sigma_squared ? std::sqrt(spending.one_way_sigma_squared->ToDouble())
                                                       : 0;
  report.sigma = paid * std::sqrt(state.surplus);
  report.total = state.model->total();
  report.model_cells = state.model->tree().cells();
  report.share_spent = run.plan.ShareSpent();
  return report;
}

absl::StatusOr<FitReport> ReportOfRun(const MethodRun& run, const RunState& state) {
  const bool is_one_table = run.method.IsOneTable();
  FitReport report;
  report.algorithm = run.method.name;
  report.epsilon = run.options.budget.epsilon();
  report.delta = run.options.budget.delta();
  report.rho = run.plan.client_terms().allowance.ToDouble();
  report.rho_spent = is_one_table ? run.plan.Spent().ToDouble() : report.rho;
  report.adjacency = is_one_table ? "add or remove one record" : "add or remove one record of one client";
  report.noise = state.provenance;
  report.rounds = state.rounds;
  report.quality = state.quality;
  report.measurements = ReportedMeasurements(run, state);
  if (is_one_table) report.confidence = run.options.confidence;
  ASSIGN_OR_RETURN(report.bounds, BoundsOf(run, state));
  return report;
}

}  // namespace flaim
