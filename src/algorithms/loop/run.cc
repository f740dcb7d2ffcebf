#include "algorithms/loop/run.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "algorithms/loop/measuring.h"
#include "algorithms/loop/release_names.h"
#include "algorithms/loop/report.h"
#include "algorithms/loop/state.h"
#include "algorithms/selection/selector.h"
#include "algorithms/spending/spending.h"
#include "base/status.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {
namespace {

// The counts that a newcomer of a pool shares out: the workload itself, of which the rest are sums.
absl::StatusOr<std::int64_t> UploadCells(const Domain& domain, const Workload& workload) {
  std::int64_t cells = 0;
  for (const WeightedQuery& query : workload) {
    ASSIGN_OR_RETURN(const std::int64_t size, CellCount(domain, query.clique));
    cells += size;
  }
  return cells;
}

absl::Status NobodyCame() {
  return FailedPrecondition("no client was ever available: raise the participation rate, or the number of rounds");
}

// A client that never comes must not keep the others waiting for ever.
constexpr int kMostWaits = 1000;

// The group of the next round, as soon as this many are in it.
absl::StatusOr<Group> Gather(const MethodRun& run, const GroupRequest& request, double wanted) {
  ASSIGN_OR_RETURN(Group group, run.federation.Gather(request));
  for (int waits = 0; static_cast<double>(group.members) < wanted && waits < kMostWaits; ++waits) {
    ASSIGN_OR_RETURN(group, run.federation.Gather(request));
  }
  if (group.members == 0 && wanted > 0) return NobodyCame();
  if (static_cast<double>(group.members) < wanted) {
    return FailedPrecondition("of {:.0f} clients that were to come first, only {} have come in {} rounds",
                              std::ceil(wanted), group.members, kMostWaits);
  }
  return group;
}

// Everything that can be refused is refused before the first release.
absl::Status CheckCanBeRun(const MethodRun& run) {
  if (!(run.options.confidence > 0 && run.options.confidence < 1)) {
    return InvalidArgument("the confidence of the error bounds must lie between 0 and 1");
  }
  if (!IsPrivate(run.method) && run.insider == nullptr) {
    return FailedPrecondition("{} is NOT private: only a simulation can run it", run.method.name);
  }
  const EstimationProblem nothing_measured{
      run.federation.domain(), {}, run.options.zeros, 1, run.options.max_model_cells};
  return EstimateModel(nothing_measured, nullptr, {}, run.parallel).status();
}

// The one-way marginals alone, from the first group that comes, where the rounds do not measure them.
absl::Status Initialise(GroupRequest request, double first_pool, const MethodRun& run, RunState& state,
                        RoundSink& rounds) {
  const std::optional<RoundSpending> spending = run.plan.Initialisation();
  if (!spending) return absl::OkStatus();
  request.is_initialisation = true;
  ASSIGN_OR_RETURN(const Group group, Gather(run, request, std::max(1.0, first_pool)));
  RETURN_IF_ERROR(MeasureOneWays(*spending, group, run, state));
  RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));
  rounds.Report(ReportOfRound(*spending, group, 0, run, state), *state.model);
  return absl::OkStatus();
}

// One global round. Pays first, releases second, learns last.
absl::Status RunRound(const RoundSpending& spending, const std::vector<Clique>& watched, const Group& group,
                      const MethodRun& run, Selector& selector, RunState& state) {
  RETURN_IF_ERROR(MeasureOneWays(spending, group, run, state));
  RETURN_IF_ERROR(MeasureAgain(spending, group, run, state));
  RETURN_IF_ERROR(MeasureWatched(spending, watched, group, run, selector, state));
  const bool learns_first = run.insider == nullptr || run.insider->LearnsBeforeChoosing() || !state.model;
  if (learns_first) RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));

  for (int selection = 0; selection < spending.selections && !state.nothing_left_to_choose; ++selection) {
    // Select: what the model approximates badly, beyond the noise that measuring it would add.
    const ReleaseName name = SelectionName(run.options.run, group.round, selection);
    ASSIGN_OR_RETURN(const Choices choices, selector.Select(spending, name, group, run, state));
    // Measure: only sums, with noise, ever leave the group.
    RETURN_IF_ERROR(MeasureChosen(spending, selection, choices, group, run, state));
    // Estimate, so that the next selection knows.
    if (selection + 1 < spending.selections) RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));
  }
  if (!run.plan.WatchesNext()) RETURN_IF_ERROR(selector.Finish(run, state));
  return state.Refit(run, spending.is_last ? run.options.last_fit : run.options.round_fit);
}

// The same, for less where others have spent from the account meanwhile: what is on record is not paid again. Nothing
// is left of the spending where the account is empty.
absl::Status RunWhatIsAffordable(std::optional<RoundSpending>& spending, const std::vector<Clique>& watched,
                                 const Group& group, const MethodRun& run, SpendingPlan& plan, Selector& selector,
                                 RunState& state) {
  while (spending) {
    const absl::Status done = RunRound(*spending, watched, group, run, selector, state);
    if (!IsBudgetRefusal(done)) return done;
    ASSIGN_OR_RETURN(spending, plan.NextAfter(done));
  }
  state.GiveUpRound();
  return absl::OkStatus();
}

// Rounds whose number is open end when nobody comes any more.
bool GoesOn(const SpendingPlan& plan, int gone, int empty) {
  if (plan.IsOver()) return false;
  return plan.PlannedRounds() == 0 ? empty <= kMostWaits : gone < plan.PlannedRounds();
}

}  // namespace

absl::StatusOr<FittedModel> RunMethod(const Method& method, const RunOptions& options, const SpendingPlan& planned,
                                      const Workload& workload, Federation& federation, Parallel& parallel,
                                      RoundSink& rounds, const Insider* insider) {
  const std::unique_ptr<SpendingPlan> plan = planned.Clone();
  const std::unique_ptr<Selector> selector = MakeSelector(method);
  const MethodRun run{method, options, federation, parallel, *plan, insider};
  RETURN_IF_ERROR(CheckCanBeRun(run));
  ASSIGN_OR_RETURN(std::vector<WeightedQuery> candidates, WeightedCompletion(workload, options.weights));
  ASSIGN_OR_RETURN(const std::int64_t upload_cells, UploadCells(federation.domain(), workload));
  RunState state(federation.clients(), std::move(candidates), options.zeros);
  const GroupRequest request{method.membership, upload_cells};
  const double first_pool = method.pool_share_at_start * static_cast<double>(federation.clients());

  RETURN_IF_ERROR(Initialise(request, first_pool, run, state, rounds));
  bool is_fitted_for_good = false;
  for (int gone = 0, empty = 0; GoesOn(*plan, gone, empty); ++gone) {
    ASSIGN_OR_RETURN(const Group group, Gather(run, request, first_pool));
    if (group.members == 0) {
      ++empty;
      continue;
    }
    const std::vector<Clique> watched =
        plan->WatchesNext() ? selector->ToWatch(federation.domain(), state) : std::vector<Clique>();
    ASSIGN_OR_RETURN(std::optional<RoundSpending> spending, plan->Next(state.chosen.size() + watched.size()));
    state.StartRound();
    const std::size_t chosen_before = state.choices.size();
    RETURN_IF_ERROR(RunWhatIsAffordable(spending, watched, group, run, *plan, *selector, state));
    if (!spending) break;
    is_fitted_for_good = spending->is_last;
    plan->Observe(state.Improved(group, chosen_before, method));
    rounds.Report(ReportOfRound(*spending, group, chosen_before, run, state), *state.model);
    if (rounds.ShouldStop()) return absl::CancelledError("interrupted");
    RETURN_IF_ERROR(parallel.StopIfAsked());
  }
  if (!state.model) return NobodyCame();
  if (!is_fitted_for_good) {  // nobody came to the last round, or there was none
    RETURN_IF_ERROR(selector->Finish(run, state));
    RETURN_IF_ERROR(state.Refit(run, options.last_fit));
  }
  ASSIGN_OR_RETURN(FitReport report, ReportOfRun(run, state));
  return FittedModel{std::move(*state.model), std::move(report), std::move(state.chosen)};
}

}  // namespace flaim
