#pragma once

#include <vector>

#include "absl/status/status.h"
#include "algorithms/loop/state.h"
#include "algorithms/selection/selector.h"

namespace flaim {

// The measurements of a round: sums of counts, with noise inside. Each does nothing where the round has none of its
// kind.

absl::Status MeasureOneWays(const RoundSpending& spending, const Group& group, const MethodRun& run, RunState& state);
// What was chosen in earlier rounds, measured again by this group.
absl::Status MeasureAgain(const RoundSpending& spending, const Group& group, const MethodRun& run, RunState& state);
absl::Status MeasureChosen(const RoundSpending& spending, int selection, const Choices& choices, const Group& group,
                           const MethodRun& run, RunState& state);
// Candidates, measured to choose from.
absl::Status MeasureWatched(const RoundSpending& spending, const std::vector<Clique>& watched, const Group& group,
                            const MethodRun& run, Selector& selector, RunState& state);

}  // namespace flaim
