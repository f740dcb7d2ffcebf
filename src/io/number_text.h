#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace flaim {

// What a text means as a number: all of it or nothing, with no blanks, one optional sign, and no dependence on a
// locale. `out_of_range` numbers are numbers, but too large for the type.
template <typename Number>
struct ParsedNumber {
  Number value{};
  bool is_number = false;
  bool out_of_range = false;
  bool is_negative = false;
};

template <typename Number>
ParsedNumber<Number> ParseNumber(std::string_view text) {
  ParsedNumber<Number> parsed;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed.value);
  if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument) return parsed;
  parsed.is_negative = text[0] == '-';
  parsed.out_of_range = error == std::errc::result_out_of_range;
  parsed.is_number = true;
  return parsed;
}

inline std::optional<std::int64_t> ParseInteger(std::string_view text) {
  const auto parsed = ParseNumber<std::int64_t>(text);
  if (!parsed.is_number || parsed.out_of_range) return std::nullopt;
  return parsed.value;
}

// Finite numbers only: "inf" and "nan" are not numbers here.
inline std::optional<double> ParseReal(std::string_view text) {
  const auto parsed = ParseNumber<double>(text);
  if (!parsed.is_number || parsed.out_of_range || !std::isfinite(parsed.value)) return std::nullopt;
  return parsed.value;
}

}  // namespace flaim
