#include "marginal/sensitivity.h"

#include <algorithm>

#include "base/status.h"
#include "marginal/score.h"

namespace flaim {
namespace {

constexpr std::int64_t kCellsMovedByOneRecord = 1;
constexpr std::int64_t kDistancesInScore = 1;
constexpr std::int64_t kDistancesInAugmentedScore = 2;

absl::StatusOr<std::int64_t> SensitivityOf(std::int64_t distances, std::span<const std::int64_t> weights) {
  if (weights.empty()) return InvalidArgument("there are no candidates to choose from");
  const auto [smallest, largest] = std::minmax_element(weights.begin(), weights.end());
  if (*smallest < 1) return InvalidArgument("a candidate has weight {}: weights are positive", *smallest);
  std::int64_t sensitivity = 0;
  if (__builtin_mul_overflow(distances * kScoreScale, *largest, &sensitivity)) {
    return InvalidArgument("a candidate has weight {}, too large for a 64-bit score", *largest);
  }
  return sensitivity;
}

}  // namespace

std::int64_t CountsSensitivitySquared(std::size_t cliques) {
  return kCellsMovedByOneRecord * static_cast<std::int64_t>(cliques);
}

absl::StatusOr<std::int64_t> ScoreSensitivity(std::span<const std::int64_t> weights) {
  return SensitivityOf(kDistancesInScore, weights);
}

absl::StatusOr<std::int64_t> AugmentedScoreSensitivity(std::span<const std::int64_t> weights) {
  return SensitivityOf(kDistancesInAugmentedScore, weights);
}

}  // namespace flaim
