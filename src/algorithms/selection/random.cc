#include "algorithms/selection/candidates.h"
#include "base/status.h"

namespace flaim {
namespace {

// Each client chooses at random, which costs nothing: nothing of its rows is in it.
class RandomSelector final : public SelectorAmongCandidates {
  absl::StatusOr<Choices> SelectAmong(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                      const ReleaseName& name, const Group&, const MethodRun& run, RunState&) override {
    ASSIGN_OR_RETURN(const LocalChoices tally,
                     run.federation.ChooseAtRandom({name, QueriesOf(candidates), spending.choices}));
    return ChosenByClients(candidates, tally);
  }
};

}  // namespace

std::unique_ptr<Selector> SelectAtRandom() { return std::make_unique<RandomSelector>(); }

}  // namespace flaim
