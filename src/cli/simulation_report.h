#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/dealt_table.h"
#include "cli/round_table.h"
#include "cli/simulation_settings.h"
#include "evaluation/log_likelihood.h"
#include "nlohmann/json.hpp"
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
  std::int64_t without_rows = 0;
  MeanAndMost sent_bytes;
  MeanAndMost received_bytes;
  MeanAndMost exchanges;
  MeanAndMost rounds_served;
  MeanAndMost rho;
  Rho most_rho;
};

ClientFigures FiguresOf(const SimulatedFederation& federation, const DealtTable& rows);

// How good the model is, as far as that was asked for.
struct SimulatedQuality {
  std::optional<WorkloadError> model_error;
  std::optional<WorkloadError> rows_error;  // of synthetic rows, as many as there are true ones
  std::optional<HeldOutLikelihood> held_out;
};

// Everything that a simulation found out, for people and as JSON. What depends on true rows without noise is in here:
// a report is as private as the data.
struct SimulationReport {
  const SimulationSettings& settings;
  const FederatedModel& fitted;
  const std::vector<EvaluatedRound>& rounds;
  ClientFigures clients;
  SimulatedQuality quality;
  std::size_t rows = 0;
  std::string output;  // empty if no model was kept
  double seconds = 0;

  // What the client that spent most has lost at the delta of the promise, by the zCDP accountant.
  double MostEpsilon() const;
  // What a client can lose at worst by that accountant, whatever was claimed.
  double WorstEpsilon() const;
};

std::vector<std::string> Lines(const SimulationReport& report);
nlohmann::json ToJson(const SimulationReport& report);

}  // namespace flaim
