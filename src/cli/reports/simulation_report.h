#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/simulation_run.h"
#include "cli/flags/simulation_flags.h"
#include "cli/reports/round_table.h"
#include "nlohmann/json.hpp"

namespace flaim {

// Everything that a simulation found out, for people and as JSON. What depends on true rows without noise is in here:
// a report is as private as the data.
struct SimulationReport {
  const SimulationSettings& settings;
  const FittedModel& fitted;
  const std::vector<EvaluatedRound>& rounds;
  ClientFigures clients;
  std::size_t clients_without_rows = 0;
  std::optional<double> heterogeneity;  // of the clients, if it was asked for
  ModelQuality quality;
  std::optional<double> true_auc;  // of a classifier trained on the true rows, if one was asked for
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
