#pragma once

#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "algorithms/choices/choice.h"

namespace flaim {

// All choices of a method, each once. Flags, settings of experiments, manifests, Python, `flaim methods`, reports and
// docs/METHODS.md walk over this table, so a new choice is a row here, and its use.
//
// In the order in which they are applied to a preset, and shown.
std::span<const Choice> AllChoices();

// REQUIRES: there is one of that name.
const Choice& ChoiceNamed(std::string_view name);

// By name, or as manifests and Python call it; nothing if there is none.
const Choice* FindChoice(std::string_view name);
const Choice* FindField(std::string_view field_name);

// Whether a change of it would change anything.
bool AppliesTo(const Choice& choice, const Method& method);

// Why it would not, in words. REQUIRES: it does not apply.
std::string WhyItHasNoUse(const Choice& choice, const Method& method);

}  // namespace flaim
