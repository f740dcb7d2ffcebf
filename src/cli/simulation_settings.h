#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "algorithms/federated/federated_plan.h"
#include "cli/fit_settings.h"
#include "cli/method_flags.h"
#include "partition/partition_spec.h"

namespace CLI {
class App;
}

namespace flaim {

// Everything that decides what a simulation does, as the flags have it.
struct SimulationFlags {
  FitFlags fit;
  FederatedRequest request;
  std::string partition;
  bool splits_noise = false;
  GroupFlags group;
  std::optional<std::uint64_t> seed;
};

void AddSimulationFlags(CLI::App& command, SimulationFlags& flags);

// What they say, checked. Nothing here has seen a row.
struct SimulationSettings {
  FitSettings fit;
  FederatedPlan plan;
  PartitionSpec partition;
  std::optional<GroupFlags> group;  // of whose members noise comes in shares
  std::uint64_t seed = 0;           // a fresh one if none was given
};

// Refuses, beside what cannot be read, flags that contradict each other and a budget that cannot pay for a round.
absl::StatusOr<SimulationSettings> MakeSimulationSettings(const SimulationFlags& flags);

// What is to be done, and loudly if nobody should do it with real data.
void ExplainSimulation(const SimulationSettings& settings, Console& console);

}  // namespace flaim
