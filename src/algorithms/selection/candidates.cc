#include "algorithms/selection/candidates.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/loop/expected_noise.h"
#include "base/status.h"
#include "model/inference/triangulation.h"

namespace flaim {
namespace {

std::int64_t CellsAllowed(const MethodRun& run) {
  const double share = run.options.model_grows_with_budget ? run.plan.ShareSpent() : 1;
  return static_cast<std::int64_t>(share * static_cast<double>(run.options.max_model_cells));
}

// Where all that was chosen is measured again anyway, what lies within it is no candidate.
bool IsCandidate(const WeightedQuery& query, const MethodRun& run, const RunState& state) {
  if (query.clique.size() == 1 && !run.method.one_way_candidates) return false;
  if (!run.MeasuresAgain()) return true;
  return std::none_of(state.chosen.begin(), state.chosen.end(),
                      [&](const Clique& chosen) { return query.clique.IsSubsetOf(chosen); });
}

// The noise of a chosen marginal when all is over, per cell and in records of this group: with the surplus that sums
// have had so far, because measuring it will have as much again. Rounds alike: that of the one
// measurement. Where later groups measure again, it falls with their number; and rises with that of the marginals
// which then share the budget.
double NoiseAtTheEnd(const RoundSpending& spending, const MethodRun& run, const RunState& state) {
  const auto* once = std::get_if<ChooseThenMeasure>(&run.method.rounds);
  const double sigma = spending.Sigma() * std::sqrt(state.surplus);
  if (once == nullptr) return sigma;
  const double now = spending.measured;
  const double in_the_end = std::max<double>(now, once->marginals);
  const double groups_left = std::max<double>(1, static_cast<double>(once->rounds - state.rounds + 1));
  return sigma * std::sqrt(in_the_end / now) / std::sqrt(groups_left);
}

absl::StatusOr<Choices> WithinModel(Choices choices, const MethodRun& run, const RunState& state) {
  std::vector<Clique> kept = state.ModelCliques();
  std::vector<Clique> cliques;
  for (const Clique& clique : choices.cliques) {
    RETURN_IF_ERROR(run.parallel.StopIfAsked());
    const HypotheticalSize size(state.model->domain(), kept);
    if (size.CellsWith(clique) > static_cast<double>(run.options.max_model_cells)) continue;
    kept.push_back(clique);
    cliques.push_back(clique);
  }
  choices.cliques = std::move(cliques);
  return choices;
}

}  // namespace

absl::StatusOr<std::vector<std::size_t>> AffordableCandidates(std::span<const WeightedQuery> candidates,
                                                              const Domain& domain,
                                                              const std::vector<Clique>& model_cliques,
                                                              std::int64_t max_cells, Parallel& parallel) {
  const HypotheticalSize size(domain, model_cliques);
  const double most = std::max(static_cast<double>(max_cells), size.cells());
  std::vector<std::uint8_t> fits(candidates.size());
  RETURN_IF_ERROR(parallel.ForUnlessStopped(
      candidates.size(), [&](std::size_t i, int) { fits[i] = size.CellsWith(candidates[i].clique) <= most ? 1 : 0; }));
  std::vector<std::size_t> affordable;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (fits[i] != 0) affordable.push_back(i);
  }
  return affordable;
}

absl::StatusOr<std::vector<Candidate>> FindCandidates(const RoundSpending& spending, const Group& group,
                                                      const MethodRun& run, const RunState& state) {
  const double sigma = run.method.noise_penalty * NoiseAtTheEnd(spending, run, state);
  const double rows = state.released.RowsOf(group);
  ASSIGN_OR_RETURN(const std::vector<std::size_t> affordable,
                   AffordableCandidates(state.candidates, state.model->domain(), state.ModelCliques(),
                                        CellsAllowed(run), run.parallel));
  std::vector<Candidate> candidates;
  for (const std::size_t position : affordable) {
    const WeightedQuery& weighted = state.candidates[position];
    if (!IsCandidate(weighted, run, state)) continue;
    const auto cells = static_cast<std::size_t>(CellCount(state.model->domain(), weighted.clique).value());
    const double penalty_records = ExpectedNoise(sigma, cells);
    // No distance is above twice the rows, so nothing can make up for this much noise.
    if (run.MeasuresAgain() && penalty_records >= 2 * rows) continue;
    candidates.push_back({position, weighted, penalty_records});
  }
  return candidates;
}

std::vector<WeightedQuery> QueriesOf(const std::vector<Candidate>& candidates) {
  std::vector<WeightedQuery> queries;
  for (const Candidate& candidate : candidates) queries.push_back(candidate.query);
  return queries;
}

std::vector<double> PenaltiesOf(const std::vector<Candidate>& candidates) {
  std::vector<double> penalties;
  for (const Candidate& candidate : candidates) penalties.push_back(candidate.penalty_records);
  return penalties;
}

Choices ChosenByClients(const std::vector<Candidate>& candidates, const LocalChoices& tally) {
  Choices choices{{}, Contributors::kChoosers};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (tally.choosers[i] > 0) choices.cliques.push_back(candidates[i].query.clique);
  }
  return choices;
}

absl::StatusOr<Choices> SelectorAmongCandidates::Select(const RoundSpending& spending, const ReleaseName& name,
                                                        const Group& group, const MethodRun& run, RunState& state) {
  ASSIGN_OR_RETURN(const std::vector<Candidate> candidates, FindCandidates(spending, group, run, state));
  if (candidates.empty()) {
    state.nothing_left_to_choose = run.MeasuresAgain();
    return Choices{};
  }
  ASSIGN_OR_RETURN(Choices choices, SelectAmong(candidates, spending, name, group, run, state));
  return WithinModel(std::move(choices), run, state);
}

}  // namespace flaim
