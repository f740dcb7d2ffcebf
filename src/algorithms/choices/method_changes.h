#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/choices/choice_setting.h"

namespace flaim {

// Which federated method to run: a preset, and what to change in it.
class MethodChanges {
 public:
  MethodChanges() = default;
  explicit MethodChanges(std::string preset_name) : preset(std::move(preset_name)) {}

  std::string preset;

  // Replaces what the choice was set to before. To set a yes-or-no choice to no is to leave it.
  void Set(const ChoiceSetting& setting);
  // REQUIRES: a choice, and a value that belongs there.
  void Set(std::string_view name, const ChoiceValue& value);
  void Unset(std::string_view name);

  // Nothing if the preset's value is left. REQUIRES: a choice.
  const ChoiceValue* Find(std::string_view name) const;

  // In the order of the table.
  const std::vector<ChoiceSetting>& settings() const { return settings_; }

  bool operator==(const MethodChanges&) const = default;

 private:
  std::vector<ChoiceSetting> settings_;
};

// Of a text that names a preset: the closest name for one that does not exist; nothing is wrong if empty.
std::string ExplainUnknownMethod(const std::string& name);

// The method that is asked for. Refuses changes that contradict each other, that the method has no use for, and what
// CheckMethod refuses.
absl::StatusOr<Method> MakeMethod(const MethodChanges& changes);

// The same without a look at whether it makes sense.
absl::StatusOr<Method> MakeUncheckedMethod(const MethodChanges& changes);

}  // namespace flaim
