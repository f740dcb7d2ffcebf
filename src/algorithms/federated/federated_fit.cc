#include "algorithms/federated/federated_fit.h"

#include <cmath>
#include <set>
#include <utility>

#include "algorithms/federated/federated_state.h"
#include "algorithms/federated/noisy_sum_selection.h"
#include "algorithms/federated/selection.h"
#include "algorithms/federated/spending.h"
#include "base/status.h"
#include "fmt/format.h"

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
absl::StatusOr<Group> Gather(const FederatedRun& run, const GroupRequest& request, double wanted) {
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

absl::Status MeasureOneWays(const RoundSpending& spending, const Group& group, const FederatedRun& run,
                            FederatedState& state) {
  if (!spending.one_way_sigma_squared) return absl::OkStatus();
  std::vector<Clique> one_ways;
  for (AttributeIndex attribute = 0; attribute < run.federation.domain().size(); ++attribute) {
    one_ways.push_back(Clique({attribute}));
  }
  const CountsRequest request{{run.options.run, group.round, "one-ways"}, one_ways, *spending.one_way_sigma_squared};
  return state.Measure(request, group, run.federation);
}

// What was chosen in earlier rounds, measured again by this group.
absl::Status MeasureAgain(const RoundSpending& spending, const Group& group, const FederatedRun& run,
                          FederatedState& state) {
  if (!run.MeasuresAgain() || state.chosen.empty()) return absl::OkStatus();
  const CountsRequest request{{run.options.run, group.round, "chosen before"}, state.chosen, *spending.sigma_squared};
  return state.Measure(request, group, run.federation);
}

absl::Status MeasureChosen(const RoundSpending& spending, int selection, const Choices& choices, const Group& group,
                           const FederatedRun& run, FederatedState& state) {
  if (choices.cliques.empty()) return absl::OkStatus();
  CountsRequest request{{run.options.run, group.round, fmt::format("chosen {}", selection + 1)},
                        choices.cliques,
                        *spending.sigma_squared,
                        choices.contributors,
                        run.method.local_steps};
  RETURN_IF_ERROR(state.Measure(request, group, run.federation));
  for (const Clique& clique : choices.cliques) state.MarkChosen(clique);
  return absl::OkStatus();
}

// Candidates, measured to choose from.
absl::Status Watch(const RoundSpending& spending, const std::vector<Clique>& watched, const Group& group,
                   const FederatedRun& run, FederatedState& state) {
  if (watched.empty()) return absl::OkStatus();
  const CountsRequest request{{run.options.run, group.round, "watched"}, watched, *spending.sigma_squared};
  ASSIGN_OR_RETURN(const NoisyMarginals noisy, run.federation.SumCounts(request));
  state.Stamp(noisy.provenance);
  state.watched.Add(noisy, request.sigma_squared.ToDouble(), group, request.contributors);
  return absl::OkStatus();
}

// One global round. Pays first, releases second, learns last.
absl::Status RunRound(const RoundSpending& spending, const std::vector<Clique>& watched, const Group& group,
                      const FederatedRun& run, FederatedState& state) {
  state.model_before.reset();
  RETURN_IF_ERROR(MeasureOneWays(spending, group, run, state));
  RETURN_IF_ERROR(MeasureAgain(spending, group, run, state));
  RETURN_IF_ERROR(Watch(spending, watched, group, run, state));
  if (!run.method.as_published || !state.model) RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));

  for (int selection = 0; selection < spending.selections && !state.nothing_left_to_choose; ++selection) {
    // Select: what the model approximates badly, beyond the noise that measuring it would add.
    ASSIGN_OR_RETURN(const Choices choices, Select(spending, selection, group, run, state));
    // Measure: only sums, with noise, ever leave the group.
    RETURN_IF_ERROR(MeasureChosen(spending, selection, choices, group, run, state));
    // Estimate, so that the next selection knows.
    if (selection + 1 < spending.selections) RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));
  }
  if (!run.plan.WatchesNext()) RETURN_IF_ERROR(ChooseFromNoisySums(run, state));
  return state.Refit(run, spending.is_last ? run.options.last_fit : run.options.round_fit);
}

RoundReport ReportOf(const RoundSpending& spending, const Group& group, const SpendingPlan& plan,
                     std::size_t chosen_before, const FederatedState& state) {
  RoundReport report;
  report.round = state.rounds;
  report.rounds = plan.PlannedRounds();
  report.members = group.members;
  report.chosen.assign(state.choices.begin() + static_cast<std::ptrdiff_t>(chosen_before), state.choices.end());
  report.sigma = spending.sigma_squared           ? spending.Sigma()
                 : spending.one_way_sigma_squared ? std::sqrt(spending.one_way_sigma_squared->ToDouble())
                                                  : 0;
  report.total = state.model->total();
  report.model_cells = state.model->tree().cells();
  return report;
}

FitReport ReportOf(const FederatedRun& run, const SpendingPlan& plan, const FederatedState& state) {
  FitReport report;
  report.algorithm = run.method.name;
  report.epsilon = run.options.budget.epsilon();
  report.delta = run.options.budget.delta();
  report.rho = plan.client_terms().allowance.ToDouble();
  report.rho_spent = report.rho;
  report.adjacency = "add or remove one record of one client";
  report.noise = state.provenance;
  report.rounds = state.rounds;
  report.quality = state.quality;
  // Whatever they counted in the fit, what is reported is how noisy they are.
  Method by_size = run.method;
  if (by_size.weighting == Weighting::kInverseSigma) by_size.weighting = Weighting::kNoisySizes;
  report.measurements = MergeMeasurements(state.released.Weighted(by_size, state.model->total()));
  return report;
}

// The one-way marginals alone, from the first group that comes, where the rounds do not measure them.
absl::Status Initialise(GroupRequest request, double first_pool, const FederatedRun& run, FederatedState& state,
                        RoundSink& rounds) {
  const std::optional<RoundSpending> spending = run.plan.Initialisation();
  if (!spending) return absl::OkStatus();
  request.is_initialisation = true;
  ASSIGN_OR_RETURN(const Group group, Gather(run, request, std::max(1.0, first_pool)));
  RETURN_IF_ERROR(MeasureOneWays(*spending, group, run, state));
  RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));
  rounds.Report(ReportOf(*spending, group, run.plan, 0, state), *state.model);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FederatedModel> RunFederated(const Method& method, const FederatedOptions& options,
                                            const Workload& workload, Federation& federation, Parallel& parallel,
                                            RoundSink& rounds) {
  ASSIGN_OR_RETURN(const std::unique_ptr<SpendingPlan> plan,
                   MakeSpendingPlan(method, options.budget, federation.domain().size()));
  ASSIGN_OR_RETURN(std::vector<WeightedQuery> candidates, WeightedCompletion(workload, options.weights));
  ASSIGN_OR_RETURN(const std::int64_t upload_cells, UploadCells(federation.domain(), workload));
  FederatedState state(federation.clients(), std::move(candidates));
  const FederatedRun run{method, options, federation, parallel, *plan};
  const GroupRequest request{method.membership, upload_cells};
  const double first_pool = method.pool_share_at_start * static_cast<double>(federation.clients());

  RETURN_IF_ERROR(Initialise(request, first_pool, run, state, rounds));
  bool is_fitted_for_good = false;
  for (int gone = 0, empty = 0; !plan->IsOver() && (gone < plan->PlannedRounds() || plan->PlannedRounds() == 0);
       ++gone) {
    ASSIGN_OR_RETURN(const Group group, Gather(run, request, first_pool));
    if (group.members == 0 && ++empty > kMostWaits && plan->PlannedRounds() == 0) break;
    if (group.members == 0) continue;
    const std::vector<Clique> watched =
        plan->WatchesNext() ? WatchedCandidates(federation.domain(), state) : std::vector<Clique>();
    ASSIGN_OR_RETURN(const std::optional<RoundSpending> spending, plan->Next(state.chosen.size() + watched.size()));
    ++state.rounds;
    const std::size_t chosen_before = state.choices.size();
    RETURN_IF_ERROR(RunRound(*spending, watched, group, run, state));
    is_fitted_for_good = spending->is_last;
    plan->Observe(state.Improved(*spending, group, chosen_before));
    rounds.Report(ReportOf(*spending, group, *plan, chosen_before, state), *state.model);
    if (rounds.ShouldStop()) return absl::CancelledError("interrupted");
  }
  if (!state.model) return NobodyCame();
  if (!is_fitted_for_good) {  // nobody came to the last round, or there was none
    RETURN_IF_ERROR(ChooseFromNoisySums(run, state));
    RETURN_IF_ERROR(state.Refit(run, options.last_fit));
  }
  FitReport report = ReportOf(run, *plan, state);
  return FederatedModel{std::move(*state.model), std::move(report), std::move(state.chosen)};
}

}  // namespace flaim
