#pragma once

#include <string>
#include <vector>

#include "algorithms/choices/method_words.h"
#include "nlohmann/json.hpp"

namespace flaim {

// The value as JSON has it, of either kind: nlohmann::json or nlohmann::ordered_json.
template <typename Json>
Json ToJson(const ChoiceValue& value) {
  return std::visit([](const auto& each) { return Json(each); }, value);
}

// {"accounting": "cap", "cap": 1, ...}
inline nlohmann::json ToJson(const std::vector<ShownChoice>& shown) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [choice, value] : shown) json[std::string(choice.name)] = ToJson<nlohmann::json>(value);
  return json;
}

}  // namespace flaim
