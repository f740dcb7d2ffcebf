#pragma once

#include "absl/status/statusor.h"
#include "algorithms/choices/choices.h"

namespace flaim {

// A choice and a value for it, which belongs there: checked when the setting is made.
class ChoiceSetting {
 public:
  // InvalidArgument, with the name of the choice and what belongs there.
  static absl::StatusOr<ChoiceSetting> Create(const Choice& choice, const ChoiceValue& value);

  // The choice points into the table, so it outlives every setting.
  const Choice& choice() const { return *choice_; }
  const ChoiceValue& value() const { return value_; }

  bool operator==(const ChoiceSetting&) const = default;

 private:
  ChoiceSetting(const Choice& choice, ChoiceValue value) : choice_(&choice), value_(std::move(value)) {}

  const Choice* choice_;
  ChoiceValue value_;
};

}  // namespace flaim
