#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "algorithms/plan/run_plan.h"
#include "nlohmann/json.hpp"
#include "simulation/research/research.h"

namespace flaim {

// What experiment files and result lines can hold as the value of a setting.
using SettingValue = ChoiceValue;

// The workload that a dataset brings with it.
inline constexpr const char* kOwnWorkload = "own";

// How rows come to clients.
enum class Dealing : std::uint8_t {
  kOwn,        // as the dataset has it
  kIid,        // at random
  kClusters,   // clusters of a UMAP embedding: the paper's feature skew
  kLabelSkew,  // by label, with shares from a Dirichlet distribution
};

// Everything that decides the outcome of one run of an experiment. What is absent is filled in by Complete(), or has no
// meaning for the run.
struct RunSettings {
  std::string dataset;
  std::optional<Dealing> partition;
  std::optional<std::int64_t> clients;
  std::optional<double> beta;             // of label skew, or of SynthFS
  std::optional<std::int64_t> data_seed;  // of subsample, split and partition
  std::string workload;                   // as for `flaim simulate`, or "own"
  RunRequest request;                     // without a method, only the partition is described
  ResearchSettings research;
  bool annealed = false;  // as many rounds as pay off, instead of a fixed number
  std::optional<double> epsilon;
  std::optional<double> delta;
  std::optional<std::int64_t> model_cells;
  bool classifier = false;           // whether its AUC is evaluated
  bool swap_rows = false;            // whether synthetic rows are swapped for the workload
  std::optional<std::int64_t> seed;  // of availability, noise and rows

  bool HasMethod() const { return !request.method.preset.empty(); }
};

// One of them as files name it.
struct Setting {
  std::string_view name;
  std::string belongs;                                            // what belongs there, for messages
  std::function<bool(RunSettings&, const SettingValue&)> set;     // false if that does not belong there
  std::function<nlohmann::ordered_json(const RunSettings&)> get;  // null if it is not set
};

// In the order of result lines.
std::span<const Setting> AllSettings();
absl::StatusOr<const Setting*> FindSetting(std::string_view name);

// Fills in what follows from the rest and takes away what has no effect: a central method has no clients, one-way
// marginals alone no rounds. So two runs that would do the same are equal. Refuses what cannot be run, except for a
// budget that cannot pay for a round.
absl::StatusOr<RunSettings> Complete(RunSettings settings);

// The plan of a complete run that has a method. REQUIRES: Complete() made it.
absl::StatusOr<RunPlan> PlanOf(const RunSettings& settings);

// Those that decide about rows, who holds them, and what is asked of them; not who is there, and what is done.
RunSettings OnlyData(const RunSettings& settings);

// What is set, in the order of AllSettings().
nlohmann::ordered_json ToJson(const RunSettings& settings);

}  // namespace flaim
