#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/federated/federated_state.h"

namespace flaim {

// The marginals that a selection came up with.
struct Choices {
  std::vector<Clique> cliques;  // distinct
  Contributors contributors = Contributors::kEverybody;
};

// One selection of a round, by the method's rule. Candidates, penalties and what the model expects are public; what
// depends on rows is released by the federation.
absl::StatusOr<Choices> Select(const RoundSpending& spending, int selection, const Group& group,
                               const FederatedRun& run, FederatedState& state);

}  // namespace flaim
