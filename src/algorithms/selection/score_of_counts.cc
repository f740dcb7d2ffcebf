#include <utility>

#include "algorithms/loop/expected_noise.h"
#include "algorithms/selection/candidates.h"
#include "base/status.h"
#include "marginal/score.h"

namespace flaim {
namespace {

// What bounds on the model's error need to know of the last choice.
absl::StatusOr<LastSelection> Remember(const std::vector<Candidate>& candidates, std::size_t chosen,
                                       const SumSelection& request, const RoundSpending& spending,
                                       const MethodRun& run) {
  ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(request));
  LastSelection last{.affordable = {},
                     .selected = candidates[chosen].position,
                     .penalty_records_per_cell = run.method.noise_penalty * ExpectedNoise(spending.Sigma(), 1),
                     .score_noise_records = 2.0 * static_cast<double>(mechanism.sensitivity) /
                                            (kScoreScale * mechanism.epsilon.ToDouble())};
  for (const Candidate& candidate : candidates) last.affordable.push_back(candidate.position);
  return last;
}

// Algorithm 2, line 13, and Algorithm 3, line 6: one exponential mechanism on the counts of everybody in the group,
// which nobody sees: they are in one table, or in shares with compute parties.
class ScoreOfCountsSelector final : public SelectorAmongCandidates {
  absl::StatusOr<Choices> SelectAmong(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                      const ReleaseName& name, const Group& group, const MethodRun& run,
                                      RunState& state) override {
    MarginalQuery query = state.model->Query();
    SumSelection request;
    request.name = name;
    request.candidates = QueriesOf(candidates);
    request.penalty_records = PenaltiesOf(candidates);
    request.epsilon = spending.epsilon;
    request.may_choose_none = run.MeasuresAgain();
    request.expected = [&, rows = state.released.RowsOf(group)](std::size_t candidate) {
      std::vector<double> expected = query.Answer(candidates[candidate].query.clique);
      for (double& value : expected) value *= rows;
      return expected;
    };
    ASSIGN_OR_RETURN(const SumChoice choice, run.federation.ChooseBySum(request));
    state.Stamp(choice.provenance);
    if (!choice.candidate) return Choices{};
    if (spending.is_last && run.method.IsOneTable()) {
      ASSIGN_OR_RETURN(state.last_selection, Remember(candidates, *choice.candidate, request, spending, run));
    }
    return Choices{{candidates[*choice.candidate].query.clique}};
  }
};

}  // namespace

std::unique_ptr<Selector> SelectByScoreOfCounts() { return std::make_unique<ScoreOfCountsSelector>(); }

}  // namespace flaim
