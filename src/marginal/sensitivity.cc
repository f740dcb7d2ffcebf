#include "marginal/sensitivity.h"

#include <algorithm>

#include "base/status.h"
#include "marginal/public_shares.h"
#include "marginal/score.h"

namespace flaim {
namespace {

constexpr std::int64_t kCellsMovedByOneRecord = 1;
// How many records' worth one record moves the score by.
constexpr std::int64_t kMoveOfScore = 1;
constexpr std::int64_t kMoveOfShareScore = 2;
constexpr std::int64_t kMoveOfAugmentedShareScore = 4;

absl::StatusOr<std::int64_t> SensitivityOf(std::int64_t move, std::span<const std::int64_t> weights) {
  if (weights.empty()) return InvalidArgument("there are no candidates to choose from");
  const auto [smallest, largest] = std::minmax_element(weights.begin(), weights.end());
  if (*smallest < 1) return InvalidArgument("a candidate has weight {}: weights are positive", *smallest);
  std::int64_t sensitivity = 0;
  if (__builtin_mul_overflow(move * kScoreScale, *largest, &sensitivity)) {
    return InvalidArgument("a candidate has weight {}, too large for a 64-bit score", *largest);
  }
  return sensitivity;
}

}  // namespace

std::int64_t CountsSensitivitySquared(std::size_t cliques) {
  return kCellsMovedByOneRecord * static_cast<std::int64_t>(cliques);
}

absl::StatusOr<std::int64_t> ScoreSensitivity(std::span<const std::int64_t> weights) {
  return SensitivityOf(kMoveOfScore, weights);
}

absl::StatusOr<std::int64_t> ShareScoreSensitivity(std::span<const std::int64_t> weights) {
  return SensitivityOf(kMoveOfShareScore, weights);
}

absl::StatusOr<std::int64_t> AugmentedShareScoreSensitivity(std::span<const std::int64_t> weights) {
  return SensitivityOf(kMoveOfAugmentedShareScore, weights);
}

std::int64_t SummedScoresSensitivitySquared(std::size_t candidates) {
  constexpr std::int64_t kMove = kMoveOfShareScore * kSummedScoreScale;
  return kMove * kMove * static_cast<std::int64_t>(candidates);
}

}  // namespace flaim
