#include <algorithm>
#include <numeric>

#include "algorithms/selection/candidates.h"
#include "base/status.h"

namespace flaim {
namespace {

// Two marginals that share two attributes tell the model much the same: the second can wait.
bool OverlapsMuch(const Clique& clique, const std::vector<Clique>& taken) {
  return std::any_of(taken.begin(), taken.end(),
                     [&](const Clique& other) { return clique.Intersect(other).size() >= 2; });
}

// As many as the round may choose, best first, as long as they gain anything.
Choices BestOf(const std::vector<Candidate>& candidates, const std::vector<double>& gains, int most) {
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return gains[a] > gains[b]; });
  Choices choices;
  for (const std::size_t position : order) {
    if (std::ssize(choices.cliques) == most || gains[position] <= 0) break;
    const Clique& clique = candidates[position].query.clique;
    if (!OverlapsMuch(clique, choices.cliques)) choices.cliques.push_back(clique);
  }
  return choices;
}

// Everybody scores every candidate, and the noisy sum of the scores decides.
class SummedScoresSelector final : public SelectorAmongCandidates {
  absl::StatusOr<Choices> SelectAmong(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                      const ReleaseName& name, const Group& group, const MethodRun& run,
                                      RunState& state) override {
    ScoresRequest request;
    request.name = name;
    for (const Candidate& candidate : candidates) request.candidates.push_back(candidate.query.clique);
    ASSIGN_OR_RETURN(request.sigma_squared, spending.ScoreSigmaSquared(candidates.size()));
    request.model = ModelView(*state.model);
    ASSIGN_OR_RETURN(const NoisyCounts sums, run.federation.SumScores(request));
    state.Stamp(sums.provenance);

    // Those who dropped out on the way would have found as much.
    const double group_for_sum = static_cast<double>(group.members) / static_cast<double>(sums.contributors);
    std::vector<double> gains;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const double error = static_cast<double>(sums.values[i]) / kSummedScoreScale * group_for_sum;
      gains.push_back(static_cast<double>(candidates[i].query.weight) * (error - candidates[i].penalty_records));
    }
    return BestOf(candidates, gains, spending.choices);
  }
};

}  // namespace

std::unique_ptr<Selector> SelectBySummedScores() { return std::make_unique<SummedScoresSelector>(); }

}  // namespace flaim
