#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace flaim {

// How much memory a fit may take, and what that allows.
class MemoryLimit {
 public:
  // A number of bytes with an optional K, M, G or T (powers of 1024), e.g. "2G", "1.5G", "500M".
  static absl::StatusOr<MemoryLimit> Parse(const std::string& text);

  std::int64_t bytes() const { return bytes_; }
  // Of the junction tree. Half of the memory is for the fit, which keeps about kDoublesPerCell for each cell.
  std::int64_t max_model_cells() const { return bytes_ / 2 / (8 * kDoublesPerCell); }
  // Of the counts that are kept between rounds: a quarter of the memory.
  std::int64_t max_kept_cells() const { return bytes_ / 4 / 8; }

  static constexpr std::int64_t kDoublesPerCell = 25;

 private:
  explicit MemoryLimit(std::int64_t bytes) : bytes_(bytes) {}

  std::int64_t bytes_;
};

// "2.0 GiB", "80 MiB": for people.
std::string BytesInShort(double bytes);

}  // namespace flaim
