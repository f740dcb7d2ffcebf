#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nlohmann/json.hpp"

namespace flaim {

enum class Better : std::uint8_t { kLower, kHigher, kNeither };

// What a result is called in reports, and what it means.
struct ResultName {
  std::string_view name;  // in result lines
  std::string_view title;
  Better better = Better::kNeither;
  double unit = 1;             // results are shown as multiples of it
  std::string_view unit_name;  // empty for a number without unit
  std::string_view explanation;
};

std::span<const ResultName> AllResultNames();
// A result that is not among them is called by its own name.
ResultName DescribeResult(std::string_view name);

// "sent by a client, MB", and "sent by a client, MB, lower is better".
std::string TitleWithUnit(const ResultName& result);
std::string TitleWithDirection(const ResultName& result);

// What a setting is called: "privacy budget ε".
std::string KeyTitle(std::string_view key);
// A value of it where the key is known, such as in a column of it: "Adult", "10".
std::string ValueTitle(std::string_view key, const nlohmann::ordered_json& value);
// And where it is not: "Adult", "T = 10".
std::string ValueTitleWithKey(std::string_view key, const nlohmann::ordered_json& value);

}  // namespace flaim
