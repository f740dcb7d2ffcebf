#include "experiments/grid.h"

#include <set>
#include <utility>

#include "base/status.h"

namespace flaim {
namespace {

constexpr std::string_view kMethodPlace = "preset";

absl::Status Apply(const std::string& name, const SettingValue& value, RunSettings& settings) {
  ASSIGN_OR_RETURN(const Setting* setting, FindSetting(name));
  if (setting->set(settings, value)) return absl::OkStatus();
  return InvalidArgument("{} must be {}", name, setting->belongs);
}

std::string PlaceOf(const RunSettings& settings, const std::string& method) {
  return method.empty() ? settings.dataset : fmt::format("{} on {}", method, settings.dataset);
}

// Fixes one setting after the other, in the order of AllSettings().
class Expansion {
 public:
  explicit Expansion(const Grid& grid) : grid_(grid) {}

  absl::StatusOr<std::vector<PlannedRun>> Run() {
    RETURN_IF_ERROR(Fix(0, RunSettings{}, nullptr));
    return std::move(runs_);
  }

 private:
  absl::Status Fix(std::size_t position, const RunSettings& settings, const NamedMethod* method) {
    if (position == AllSettings().size()) return Add(settings, method);
    const std::string name(AllSettings()[position].name);
    if (name == kMethodPlace && !grid_.methods.empty()) {
      for (const NamedMethod& each : grid_.methods) RETURN_IF_ERROR(Fix(position + 1, settings, &each));
      return absl::OkStatus();
    }
    const auto axis = grid_.axes.find(name);
    if (axis == grid_.axes.end()) return Fix(position + 1, settings, method);
    for (const SettingValue& value : axis->second) {
      RunSettings next = settings;
      RETURN_IF_ERROR(Apply(name, value, next));
      RETURN_IF_ERROR(Fix(position + 1, next, method));
    }
    return absl::OkStatus();
  }

  absl::Status Add(RunSettings settings, const NamedMethod* method) {
    const std::string name = method == nullptr ? "" : method->name;
    if (method != nullptr) {
      for (const auto& [key, value] : method->settings) RETURN_IF_ERROR(Apply(key, value, settings));
    }
    const std::string place = PlaceOf(settings, name);
    absl::StatusOr<RunSettings> complete = Complete(std::move(settings));
    if (!complete.ok()) return InvalidArgument("{}: {}", place, std::string(complete.status().message()));
    PlannedRun run{name, *std::move(complete)};
    if (seen_.insert({name, run.Key()}).second) runs_.push_back(std::move(run));
    if (runs_.size() > kMaxRuns) return InvalidArgument("more than {} runs: use fewer values", kMaxRuns);
    return absl::OkStatus();
  }

  const Grid& grid_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::vector<PlannedRun> runs_;
};

}  // namespace

nlohmann::ordered_json PlannedRun::Get(std::string_view key) const {
  if (key == "method") return method;
  const absl::StatusOr<const Setting*> setting = FindSetting(key);
  return setting.ok() ? (*setting)->get(settings) : nlohmann::ordered_json();
}

absl::StatusOr<std::vector<PlannedRun>> RunsOf(const Grid& grid) { return Expansion(grid).Run(); }

}  // namespace flaim
