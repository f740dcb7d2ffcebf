#pragma once

#include <string>

#include "CLI/CLI.hpp"
#include "fmt/format.h"
#include "io/number_text.h"

namespace flaim {

// A check for flags: finite numbers from `low` to `high`. CLI::Range lets "nan" pass.
inline CLI::Validator Between(double low, double high) {
  return CLI::Validator(
      [low, high](const std::string& text) -> std::string {
        const std::optional<double> number = ParseReal(text);
        if (number && *number >= low && *number <= high) return "";
        return fmt::format("{} is not a number from {} to {}", text, low, high);
      },
      fmt::format("{} to {}", low, high));
}

}  // namespace flaim
