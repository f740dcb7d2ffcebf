#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "algorithms/federated/federated_fit.h"
#include "algorithms/federated/spending.h"
#include "cli/fit_settings.h"
#include "cli/method_flags.h"
#include "partition/partition_spec.h"
#include "simulation/availability.h"

namespace CLI {
class App;
}

namespace flaim {

// Everything that decides what a simulation does, as the flags have it.
struct SimulationFlags {
  FitFlags fit;
  MethodFlags method;
  std::string partition;
  std::optional<double> participation;
  std::string availability;
  bool paper_fit = false;
  std::optional<std::uint64_t> seed;
};

void AddSimulationFlags(CLI::App& command, SimulationFlags& flags);

// What they say, checked. Nothing here has seen a row.
struct SimulationSettings {
  FitSettings fit;
  Method method;
  std::string title;  // the preset, and what was changed in it
  PartitionSpec partition;
  Availability availability;
  std::string availability_text;
  std::string trace_path;  // of a Trace, whose clients are still called as the file calls them
  ClientTerms terms;
  FederatedOptions options;
  std::uint64_t seed = 0;  // a fresh one if none was given
};

// Refuses, beside what cannot be read, flags that contradict each other and a budget that cannot pay for a round.
absl::StatusOr<SimulationSettings> MakeSimulationSettings(const SimulationFlags& flags);

// What is to be done, and loudly if nobody should do it with real data.
void ExplainSimulation(const SimulationSettings& settings, Console& console);

}  // namespace flaim
