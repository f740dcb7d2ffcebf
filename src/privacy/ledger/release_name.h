#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "fmt/format.h"

namespace flaim {

// What a release is called, in public words. The same name always stands for the same value: whoever asks again gets
// the recorded bytes, never a second draw.
struct ReleaseName {
  std::string run;
  std::int64_t round = 0;
  std::string query;  // e.g. "age,sex"

  std::string ToString() const { return fmt::format("run '{}', round {}, query '{}'", run, round, query); }
  auto operator<=>(const ReleaseName&) const = default;
};

}  // namespace flaim
