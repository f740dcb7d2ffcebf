#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"

namespace flaim {

// `count` consecutive whole numbers from `first` on, in steps of `step`.
struct NumberRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
};

// Edges of `bins` bins over the range, whose widths differ by at most one step. The last edge is one step past the
// last number. Refuses bins that are none, more than numbers, or more than kMaxCodesPerColumn.
absl::StatusOr<std::vector<std::int64_t>> EqualBinEdges(const NumberRange& range, std::int64_t bins);

}  // namespace flaim
