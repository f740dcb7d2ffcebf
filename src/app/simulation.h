#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "app/dealt_table.h"
#include "app/simulation_run.h"
#include "app/simulation_settings.h"
#include "app/yardstick.h"
#include "base/parallel.h"

namespace flaim {

// A round that is over, and how far its model was from everybody's rows.
struct EvaluatedRound {
  RoundReport report;
  std::optional<WorkloadError> error;  // if the yardstick knows
};

class EvaluatedRoundSink {
 public:
  virtual ~EvaluatedRoundSink() = default;
  virtual void Report(const EvaluatedRound& round) = 0;
};

// Runs a federated method on rows dealt to clients that exist in memory only: what `flaim simulate` and
// flaim.Simulation do. The model says of itself what it is, wherever it goes: seeded, and of which method. Equal
// settings and rows give equal models.
absl::StatusOr<SimulationOutcome> Simulate(const SimulationSettings& settings, const DealtTable& rows,
                                           const Yardstick& yardstick, Parallel& parallel, EvaluatedRoundSink& rounds);

}  // namespace flaim
