#include <algorithm>

#include "algorithms/selection/candidates.h"
#include "base/status.h"

namespace flaim {
namespace {

// Algorithm 1, lines 4 to 9: every client of the group chooses by the exponential mechanism on its own rows. How it
// does so, and what it does between two local steps, is in federation/client_answer.cc.
class LocalSelector final : public SelectorAmongCandidates {
  absl::StatusOr<Choices> SelectAmong(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                      const ReleaseName& name, const Group&, const MethodRun& run,
                                      RunState& state) override {
    LocalSelection request;
    request.name = name;
    request.candidates = QueriesOf(candidates);
    request.penalty_records = PenaltiesOf(candidates);
    // An oracle puts the truth in the place of the proxy: that costs a client the same.
    if (run.method.penalty != Penalty::kNone) request.heterogeneity = Heterogeneity::kProxy;
    request.steps = std::min(spending.choices, static_cast<int>(candidates.size()));
    request.epsilon = spending.epsilon;
    request.model = ModelView(*state.model);
    if (run.method.stepping == LocalStepping::kMeasuring && request.steps > 1) {
      const double total = state.model->total();
      request.refit = LocalRefit{*spending.sigma_squared,
                                 {run.federation.domain(),
                                  state.Weighted(run, run.method.weighting, total),
                                  {},
                                  total,
                                  run.options.max_model_cells},
                                 run.options.round_fit};
    }
    ASSIGN_OR_RETURN(const LocalChoices tally, run.federation.ChooseLocally(request));
    state.Stamp(tally.provenance);
    return ChosenByClients(candidates, tally);
  }
};

}  // namespace

std::unique_ptr<Selector> SelectLocally() { return std::make_unique<LocalSelector>(); }

}  // namespace flaim
