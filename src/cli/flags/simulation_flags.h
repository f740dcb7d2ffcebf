#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "app/simulation_settings.h"
#include "cli/flags/fit_flags.h"
#include "cli/flags/method_flags.h"

namespace CLI {
class App;
}

namespace flaim {

// Everything that decides what a simulation does, as the flags have it.
struct SimulationFlags {
  FitFlags fit;
  SimulationRequest request;
  bool splits_noise = false;
  GroupFlags group;
};

void AddSimulationFlags(CLI::App& command, SimulationFlags& flags);

absl::StatusOr<SimulationSettings> ReadSimulationSettings(const SimulationFlags& flags);

// What is to be done, and loudly if nobody should do it with real data.
void ExplainSimulation(const SimulationSettings& settings, Console& console);

}  // namespace flaim
