#include "algorithms/federated/selection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/aim/candidates.h"
#include "algorithms/expected_noise.h"
#include "base/check.h"
#include "base/status.h"
#include "federation/model_shares.h"
#include "fmt/format.h"
#include "model/inference/triangulation.h"

namespace flaim {
namespace {

// A candidate, and what measuring it would add.
struct Candidate {
  WeightedQuery query;
  double penalty_records = 0;
};

std::int64_t CellsAllowed(const FederatedRun& run) {
  const double share = run.options.model_grows_with_budget ? run.plan.ShareSpent() : 1;
  return static_cast<std::int64_t>(share * static_cast<double>(run.options.max_model_cells));
}

// Where all that was chosen is measured again anyway, what lies within it is no candidate.
bool IsCandidate(const WeightedQuery& query, const FederatedRun& run, const FederatedState& state) {
  if (query.clique.size() == 1 && !run.method.one_way_candidates) return false;
  if (!run.MeasuresAgain()) return true;
  return std::none_of(state.chosen.begin(), state.chosen.end(),
                      [&](const Clique& chosen) { return query.clique.IsSubsetOf(chosen); });
}

// The noise of a chosen marginal when all is over, per cell and in records of this group. Rounds alike: that of the one
// measurement. Where later groups measure again, it falls with their number; and rises with that of the marginals
// which then share the budget.
double NoiseAtTheEnd(const RoundSpending& spending, const FederatedRun& run, const FederatedState& state) {
  const auto* once = std::get_if<ChooseThenMeasure>(&run.method.rounds);
  if (once == nullptr) return spending.Sigma();
  const double now = spending.measured;
  const double in_the_end = std::max<double>(now, once->marginals);
  const double groups_left = std::max<double>(1, static_cast<double>(once->rounds - state.rounds + 1));
  return spending.Sigma() * std::sqrt(in_the_end / now) / std::sqrt(groups_left);
}

std::vector<Candidate> FindCandidates(const RoundSpending& spending, const Group& group, const FederatedRun& run,
                                      const FederatedState& state) {
  const double sigma = run.method.noise_penalty * NoiseAtTheEnd(spending, run, state);
  const double rows = state.released.RowsOf(group);
  std::vector<Candidate> candidates;
  for (const std::size_t position :
       AffordableCandidates(state.candidates, state.model->tree(), state.ModelCliques(), CellsAllowed(run))) {
    const WeightedQuery& weighted = state.candidates[position];
    if (!IsCandidate(weighted, run, state)) continue;
    const auto cells = static_cast<std::size_t>(CellCount(state.model->domain(), weighted.clique).value());
    const double penalty_records = ExpectedNoise(sigma, cells);
    // No distance is above twice the rows, so nothing can make up for this much noise.
    if (run.MeasuresAgain() && penalty_records >= 2 * rows) continue;
    candidates.push_back({weighted, penalty_records});
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

// Each candidate fits the model, but several at once may not: those that come too late are left out. What clients chose
// is public by now.
Choices WithinModel(Choices choices, const FederatedRun& run, const FederatedState& state) {
  std::vector<Clique> kept = state.ModelCliques();
  std::vector<Clique> cliques;
  for (const Clique& clique : choices.cliques) {
    const HypotheticalSize size(state.model->domain(), kept);
    if (size.CellsWith(clique) > static_cast<double>(run.options.max_model_cells)) continue;
    kept.push_back(clique);
    cliques.push_back(clique);
  }
  choices.cliques = std::move(cliques);
  return choices;
}

Choices ChosenByClients(const std::vector<Candidate>& candidates, const LocalChoices& tally) {
  Choices choices{{}, Contributors::kChoosers};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (tally.choosers[i] > 0) choices.cliques.push_back(candidates[i].query.clique);
  }
  return choices;
}

absl::StatusOr<Choices> SelectLocally(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                      const ReleaseName& name, const FederatedRun& run, FederatedState& state) {
  LocalSelection request;
  request.name = name;
  request.candidates = QueriesOf(candidates);
  request.shares = SharesOf(*state.model, request.candidates);
  request.penalty_records = PenaltiesOf(candidates);
  request.heterogeneity = run.method.heterogeneity;
  if (request.heterogeneity == Heterogeneity::kProxy) request.one_way_shares = OneWaySharesOf(*state.model);
  request.steps = std::min(spending.choices, static_cast<int>(candidates.size()));
  request.epsilon = spending.epsilon;
  request.model_cells = state.model->tree().cells();
  request.model = &*state.model;
  if (run.method.stepping == LocalStepping::kMeasuring && request.steps > 1) {
    const double total = state.model->total();
    request.refit = LocalRefit{
        *spending.sigma_squared,
        {run.federation.domain(), state.released.Weighted(run.method, total), {}, total, run.options.max_model_cells},
        run.options.round_fit};
  }
  ASSIGN_OR_RETURN(const LocalChoices tally, run.federation.ChooseLocally(request));
  state.Stamp(tally.provenance);
  return ChosenByClients(candidates, tally);
}

absl::StatusOr<Choices> SelectAtRandom(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                       const ReleaseName& name, const FederatedRun& run) {
  ASSIGN_OR_RETURN(const LocalChoices tally,
                   run.federation.ChooseAtRandom({name, QueriesOf(candidates), spending.choices}));
  return ChosenByClients(candidates, tally);
}

// Two marginals that share two attributes tell the model much the same: the second can wait.
bool OverlapsMuch(const Clique& clique, const std::vector<Clique>& taken) {
  return std::any_of(taken.begin(), taken.end(),
                     [&](const Clique& other) { return clique.Intersect(other).size() >= 2; });
}

absl::StatusOr<Choices> SelectBySummedScores(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                             const ReleaseName& name, const FederatedRun& run, FederatedState& state) {
  ScoresRequest request;
  request.name = name;
  for (const Candidate& candidate : candidates) request.candidates.push_back(candidate.query.clique);
  request.shares = SharesOf(*state.model, request.candidates);
  ASSIGN_OR_RETURN(request.sigma_squared, spending.ScoreSigmaSquared(candidates.size()));
  request.model_cells = state.model->tree().cells();
  request.model = &*state.model;
  ASSIGN_OR_RETURN(const NoisyCounts sums, run.federation.SumScores(request));
  state.Stamp(sums.provenance);

  std::vector<double> gains;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double error = static_cast<double>(sums.values[i]) / kSummedScoreScale;
    gains.push_back(static_cast<double>(candidates[i].query.weight) * (error - candidates[i].penalty_records));
  }
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return gains[a] > gains[b]; });
  Choices choices;
  for (const std::size_t position : order) {
    if (std::ssize(choices.cliques) == spending.choices || gains[position] <= 0) break;
    const Clique& clique = candidates[position].query.clique;
    if (!OverlapsMuch(clique, choices.cliques)) choices.cliques.push_back(clique);
  }
  return choices;
}

absl::StatusOr<Choices> SelectByScoreOfSum(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                           const ReleaseName& name, const Group& group, const FederatedRun& run,
                                           FederatedState& state) {
  const double rows = state.released.RowsOf(group);
  SumSelection request;
  request.name = name;
  request.candidates = QueriesOf(candidates);
  request.penalty_records = PenaltiesOf(candidates);
  request.epsilon = spending.epsilon;
  request.may_choose_none = run.MeasuresAgain();
  MarginalQuery query = state.model->Query();
  for (const Candidate& candidate : candidates) {
    std::vector<double> expected = query.Answer(candidate.query.clique);
    for (double& value : expected) value *= rows;
    request.expected.push_back(std::move(expected));
  }
  ASSIGN_OR_RETURN(const SumChoice choice, run.federation.ChooseBySum(request));
  state.Stamp(choice.provenance);
  Choices choices;
  if (choice.candidate) choices.cliques.push_back(candidates[*choice.candidate].query.clique);
  return choices;
}

absl::StatusOr<Choices> SelectAmong(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                    const ReleaseName& name, const Group& group, const FederatedRun& run,
                                    FederatedState& state) {
  switch (run.method.selection) {
    case Selection::kNone:
    case Selection::kNoisySums:  // chosen when all pairs have been watched
      return Choices{};
    case Selection::kRandom:
      return SelectAtRandom(candidates, spending, name, run);
    case Selection::kLocal:
      return SelectLocally(candidates, spending, name, run, state);
    case Selection::kSummedScores:
      return SelectBySummedScores(candidates, spending, name, run, state);
    case Selection::kScoreOfSum:
      return SelectByScoreOfSum(candidates, spending, name, group, run, state);
  }
  CHECK(false, "no such selection");
}

}  // namespace

absl::StatusOr<Choices> Select(const RoundSpending& spending, int selection, const Group& group,
                               const FederatedRun& run, FederatedState& state) {
  const std::vector<Candidate> candidates = FindCandidates(spending, group, run, state);
  if (candidates.empty()) {
    state.nothing_left_to_choose = run.MeasuresAgain();
    return Choices{};
  }
  const ReleaseName name{run.options.run, group.round, fmt::format("select {}", selection + 1)};
  ASSIGN_OR_RETURN(Choices choices, SelectAmong(candidates, spending, name, group, run, state));
  return WithinModel(std::move(choices), run, state);
}

}  // namespace flaim
