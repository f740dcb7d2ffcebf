#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/run_settings.h"

namespace flaim {

// A method of an experiment: a preset and changes to it, under a name of its own.
struct NamedMethod {
  std::string name;
  std::map<std::string, SettingValue> settings;  // "preset" and others; they win over the grid's
  bool is_ours = false;
};

// A run, and what the experiment calls its method.
struct PlannedRun {
  std::string method;    // empty if it has none
  RunSettings settings;  // complete

  // By setting or "method"; null if it has no such setting.
  nlohmann::ordered_json Get(std::string_view key) const;
  // The same for two runs that do the same, whatever they are called.
  std::string Key() const { return ToJson(settings).dump(); }
};

// Values to try for some settings: every combination of them, with every method.
struct Grid {
  std::map<std::string, std::vector<SettingValue>> axes;
  std::vector<NamedMethod> methods;  // none: partitions are described
};

// The runs of the grid, each once: values that make no difference to a run do not multiply it. The first setting of
// AllSettings() varies slowest, the seed fastest. Refuses a combination that cannot be run, and more than kMaxRuns.
inline constexpr std::size_t kMaxRuns = 1'000'000;
absl::StatusOr<std::vector<PlannedRun>> RunsOf(const Grid& grid);

}  // namespace flaim
