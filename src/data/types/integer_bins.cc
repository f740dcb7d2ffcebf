#include "data/types/integer_bins.h"

#include "base/int128.h"
#include "base/status.h"
#include "data/types/encoded.h"

namespace flaim {

absl::StatusOr<std::vector<std::int64_t>> EqualBinEdges(const NumberRange& range, std::int64_t bins) {
  if (bins < 1 || bins > range.count || bins > kMaxCodesPerColumn) {
    return InvalidArgument("has {} bins for {} possible values; choose between 1 and {} bins", bins, range.count,
                           std::min(range.count, kMaxCodesPerColumn));
  }
  std::vector<std::int64_t> edges;
  edges.reserve(static_cast<std::size_t>(bins) + 1);
  for (std::int64_t bin = 0; bin <= bins; ++bin) {
    const auto numbers_before = static_cast<std::int64_t>(Int128{bin} * range.count / bins);
    edges.push_back(range.first + numbers_before * range.step);
  }
  return edges;
}

}  // namespace flaim
