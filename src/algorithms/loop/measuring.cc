#include "algorithms/loop/measuring.h"

#include "algorithms/loop/release_names.h"
#include "base/status.h"

namespace flaim {

absl::Status MeasureOneWays(const RoundSpending& spending, const Group& group, const MethodRun& run, RunState& state) {
  if (!spending.one_way_sigma_squared) return absl::OkStatus();
  std::vector<Clique> one_ways;
  for (AttributeIndex attribute = 0; attribute < run.federation.domain().size(); ++attribute) {
    one_ways.push_back(Clique({attribute}));
  }
  CountsRequest request{OneWaysName(run.options.run, group.round), one_ways, *spending.one_way_sigma_squared};
  request.round_marginals = spending.measured;
  return state.Measure(request, group, run.federation);
}

absl::Status MeasureAgain(const RoundSpending& spending, const Group& group, const MethodRun& run, RunState& state) {
  if (!run.MeasuresAgain() || state.chosen.empty()) return absl::OkStatus();
  CountsRequest request{MeasuredAgainName(run.options.run, group.round), state.chosen, *spending.sigma_squared};
  request.round_marginals = spending.measured;
  return state.Measure(request, group, run.federation);
}

absl::Status MeasureChosen(const RoundSpending& spending, int selection, const Choices& choices, const Group& group,
                           const MethodRun& run, RunState& state) {
  if (choices.cliques.empty()) return absl::OkStatus();
  const CountsRequest request{ChosenName(run.options.run, group.round, selection),
                              choices.cliques,
                              *spending.sigma_squared,
                              choices.contributors,
                              run.method.local_steps,
                              spending.measured};
  RETURN_IF_ERROR(state.Measure(request, group, run.federation));
  for (const Clique& clique : choices.cliques) state.MarkChosen(clique);
  return absl::OkStatus();
}

absl::Status MeasureWatched(const RoundSpending& spending, const std::vector<Clique>& watched, const Group& group,
                            const MethodRun& run, Selector& selector, RunState& state) {
  if (watched.empty()) return absl::OkStatus();
  CountsRequest request{WatchedName(run.options.run, group.round), watched, *spending.sigma_squared};
  request.round_marginals = spending.measured;
  ASSIGN_OR_RETURN(const NoisyMarginals noisy, run.federation.SumCounts(request));
  state.Stamp(noisy.provenance);
  selector.Watch(noisy, group);
  return absl::OkStatus();
}

}  // namespace flaim
