#include "algorithms/choices/choice_setting.h"

#include "base/status.h"

namespace flaim {

absl::StatusOr<ChoiceSetting> ChoiceSetting::Create(const Choice& choice, const ChoiceValue& value) {
  const std::optional<ChoiceValue> fitted = Fitted(choice, value);
  if (!fitted) return InvalidArgument("{}: {}", choice.name, ExplainMisfit(choice, value));
  return ChoiceSetting(choice, *fitted);
}

}  // namespace flaim
