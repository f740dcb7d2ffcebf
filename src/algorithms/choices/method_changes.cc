#include "algorithms/choices/method_changes.h"

#include <algorithm>

#include "algorithms/methods/presets.h"
#include "base/check.h"
#include "base/status.h"
#include "io/message_text.h"

namespace flaim {

void MethodChanges::Set(const ChoiceSetting& setting) {
  Unset(setting.choice().name);
  if (setting.value() == ChoiceValue(false)) return;
  const auto later = std::find_if(settings_.begin(), settings_.end(), [&](const ChoiceSetting& other) {
    return std::less<>()(&setting.choice(), &other.choice());
  });
  settings_.insert(later, setting);
}

void MethodChanges::Set(std::string_view name, const ChoiceValue& value) {
  const absl::StatusOr<ChoiceSetting> setting = ChoiceSetting::Create(ChoiceNamed(name), value);
  CHECK(setting.ok(), "{}", std::string(setting.status().message()));
  Set(*setting);
}

void MethodChanges::Unset(std::string_view name) {
  std::erase_if(settings_, [&](const ChoiceSetting& setting) { return setting.choice().name == name; });
}

const ChoiceValue* MethodChanges::Find(std::string_view name) const {
  const Choice& choice = ChoiceNamed(name);
  for (const ChoiceSetting& setting : settings_) {
    if (&setting.choice() == &choice) return &setting.value();
  }
  return nullptr;
}

std::string ExplainUnknownMethod(const std::string& name) {
  std::vector<std::string> names;
  for (const Method& method : AllMethods()) {
    if (method.name == name) return "";
    names.push_back(method.name);
  }
  const std::vector<std::string_view> options(names.begin(), names.end());
  return fmt::format("there is no method {}.{} There are {}", QuoteForMessage(name), SuggestNearest(name, options),
                     fmt::join(names, ", "));
}

absl::StatusOr<Method> MakeUncheckedMethod(const MethodChanges& changes) {
  if (const std::string unknown = ExplainUnknownMethod(changes.preset); !unknown.empty()) {
    return absl::InvalidArgumentError(unknown);
  }
  ASSIGN_OR_RETURN(Method method, FindMethod(changes.preset));
  for (const ChoiceSetting& setting : changes.settings()) setting.choice().set(method, setting.value());
  return method;
}

absl::StatusOr<Method> MakeMethod(const MethodChanges& changes) {
  ASSIGN_OR_RETURN(const Method method, MakeUncheckedMethod(changes));
  if (changes.Find("rounds") != nullptr && changes.Find("anneal") != nullptr) {
    return InvalidArgument("rounds and anneal contradict each other: give one of them");
  }
  for (const ChoiceSetting& setting : changes.settings()) {
    if (!AppliesTo(setting.choice(), method)) return InvalidArgument("{}", WhyItHasNoUse(setting.choice(), method));
  }
  RETURN_IF_ERROR(CheckMethod(method));
  return method;
}

}  // namespace flaim
