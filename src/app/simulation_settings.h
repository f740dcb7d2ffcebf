#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/plan/run_plan.h"
#include "app/fit_settings.h"
#include "app/simulation_run.h"
#include "partition/partition_spec.h"

namespace flaim {

// What a model of the paper's size takes, by the reckoning of memory_limit.h.
inline constexpr const char* kPaperMemory = "4G";

// Everything that decides what a simulation does, in the words of flags and of the Python package.
struct SimulationRequest {
  FitRequest fit;
  RunRequest run;
  std::string partition;
  GroupSettings groups;
  ResearchSettings research;
  std::optional<std::uint64_t> seed;
};

// What it says, checked. Nothing here has seen a row.
struct SimulationSettings {
  FitSettings fit;
  PartitionSpec partition;
  GroupSettings groups;
  ResearchSettings research;
  std::uint64_t seed = 0;  // a fresh one if none was given

  // Of the method, with secure noise too; nothing if it is private.
  std::vector<std::string> ReasonsNotPrivate() const { return flaim::ReasonsNotPrivate(fit.plan.method, research); }
};

// Refuses, beside what cannot be read, choices that contradict each other and a budget that cannot pay for a round.
absl::StatusOr<SimulationSettings> MakeSimulationSettings(const SimulationRequest& request, Schema schema,
                                                          std::optional<Workload> workload = std::nullopt);

}  // namespace flaim
