#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "algorithms/plan/run_plan.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/workload.h"
#include "partition/partition.h"
#include "simulation/research/research.h"
#include "simulation/simulated_federation.h"

namespace flaim {

struct MeanAndMost {
  double mean = 0;
  double most = 0;
};

// What the clients of a simulation did and paid. Means are over those that took part.
struct ClientFigures {
  std::int64_t enrolled = 0;
  std::int64_t took_part = 0;
  MeanAndMost sent_bytes;
  MeanAndMost received_bytes;
  MeanAndMost exchanges;
  MeanAndMost rounds_served;
  MeanAndMost rho;
  Rho most_rho;
};

struct SimulationOutcome {
  FittedModel fitted;
  ClientFigures clients;
};

// How clients are brought together, where that is not as simple as in the paper.
struct GroupSettings {
  NoiseOrigin noise = WholeNoise{};
  int least_members = 1;
};

// Runs the plan on rows dealt to clients that exist in memory only. For a method of one table, all rows are one
// client's. The same seed gives the same outcome for any number of threads.
absl::StatusOr<SimulationOutcome> RunSimulation(const RunPlan& plan, const Table& rows, const Partition& partition,
                                                const Workload& workload, std::uint64_t seed, Parallel& parallel,
                                                RoundSink& rounds, const GroupSettings& groups = {},
                                                const ResearchSettings& research = {});

}  // namespace flaim
