#pragma once

#include <cstdint>
#include <string>

#include "fmt/format.h"
#include "privacy/ledger/release_name.h"

namespace flaim {

// What the releases of a run are called. A ledger keeps values under these names and seeded noise follows from them, so
// they are the same for whoever runs the loop.
inline ReleaseName OneWaysName(const std::string& run, std::int64_t round) { return {run, round, "one-ways"}; }
inline ReleaseName MeasuredAgainName(const std::string& run, std::int64_t round) {
  return {run, round, "chosen before"};
}
inline ReleaseName WatchedName(const std::string& run, std::int64_t round) { return {run, round, "watched"}; }
inline ReleaseName SelectionName(const std::string& run, std::int64_t round, int selection) {
  return {run, round, fmt::format("select {}", selection + 1)};
}
inline ReleaseName ChosenName(const std::string& run, std::int64_t round, int selection) {
  return {run, round, fmt::format("chosen {}", selection + 1)};
}

// The initialisation's round, where it is one of its own: the first.
inline constexpr std::int64_t kInitialRound = 1;

}  // namespace flaim
