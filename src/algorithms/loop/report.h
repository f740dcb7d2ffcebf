#pragma once

#include "absl/status/statusor.h"
#include "algorithms/loop/state.h"

namespace flaim {

// What a run says of one round, and of itself at the end. All of it is public.

RoundReport ReportOfRound(const RoundSpending& spending, const Group& group, std::size_t chosen_before,
                          const MethodRun& run, const RunState& state);

// Cancelled when the team is asked to stop.
absl::StatusOr<FitReport> ReportOfRun(const MethodRun& run, const RunState& state);

}  // namespace flaim
