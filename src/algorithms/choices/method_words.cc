#include "algorithms/choices/method_words.h"

#include <algorithm>

#include "algorithms/methods/presets.h"
#include "base/check.h"
#include "fmt/format.h"

namespace flaim {

std::vector<ShownChoice> ShownChoicesOf(const Method& method) {
  std::vector<ShownChoice> shown;
  for (const Choice& choice : AllChoices()) {
    if (!AppliesTo(choice, method)) continue;
    const std::optional<ChoiceValue> value = choice.get(method);
    if (value && *value != ChoiceValue(false)) shown.push_back({choice, *value});
  }
  return shown;
}

std::string ChangesFromPreset(const Method& method) {
  const absl::StatusOr<Method> preset = FindMethod(method.name);
  CHECK(preset.ok(), "'{}' is not the name of a preset", method.name);
  const std::vector<ShownChoice> usual = ShownChoicesOf(*preset);
  std::string changes;
  for (const ShownChoice& shown : ShownChoicesOf(method)) {
    const bool is_usual = std::any_of(usual.begin(), usual.end(), [&](const ShownChoice& known) {
      return &known.choice == &shown.choice && known.value == shown.value;
    });
    if (is_usual) continue;
    changes += fmt::format("{}{} {}", changes.empty() ? "" : ", ", shown.choice.name, TextOf(shown.value));
  }
  return changes;
}

std::string ChosenText(std::string_view name, const Method& method) {
  const std::optional<ChoiceValue> value = ChoiceNamed(name).get(method);
  CHECK(value.has_value(), "{} has no {}", method.name, name);
  return TextOf(*value);
}

std::string TrustInWords(const Method& method) {
  if (!IsPrivate(method)) return "NOT private: uses what nobody may know; simulation only";
  if (method.IsOneTable()) return "one party holds the rows of everybody";
  return ToString(TrustOf(method));
}

std::vector<std::string> ReasonsNotPrivate(const Method& method) {
  std::vector<std::string> reasons;
  if (method.penalty == Penalty::kOracle) {
    reasons.emplace_back("penalty oracle tells clients how unlike everybody they are, which nobody may know");
  }
  if (method.weighting == Weighting::kTrueSizes) {
    reasons.emplace_back("weighting true-sizes uses the true numbers of rows, which nobody may know");
  }
  return reasons;
}

}  // namespace flaim
