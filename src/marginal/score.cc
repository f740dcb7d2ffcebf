#include "marginal/score.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/check.h"
#include "base/int128.h"
#include "base/status.h"

namespace flaim {
namespace {

constexpr std::int64_t kMaxUnits = std::int64_t{1} << 62;

bool Fits(double value, std::int64_t limit) { return std::abs(value) <= static_cast<double>(limit); }

// To the nearest integer. REQUIRES: Fits(value, kMaxUnits). Inlined, unlike std::llround.
std::int64_t Round(double value) { return static_cast<std::int64_t>(value + std::copysign(0.5, value)); }

// What does not fit counts as the most that does. An error instead would tell whoever chose the penalty which side of
// a threshold the rows are on, without noise; and a record moves a clamped score by no more than a bare one.
std::int64_t Saturate(Int128 value) {
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp<Int128>(value, -kMost, kMost));
}

}  // namespace

// Every cell may contribute at most kMaxUnits / cells from either side, so that the sum cannot overflow. A count beyond
// that counts as the most: a record moves a clamped count by no more than a bare one, and an error would depend on the
// rows. What is expected is public, and may be refused.
absl::StatusOr<ScaledDistance> Distance(const Comparison& comparison) {
  CHECK(comparison.counts.size() == comparison.expected.size());
  const auto cells = static_cast<std::int64_t>(comparison.counts.size());
  const std::int64_t limit = kMaxUnits / std::max<std::int64_t>(cells, 1) / 2 - 1;
  const std::int64_t count_limit = limit / kScoreScale;
  std::int64_t distance = 0;
  bool all_fit = true;
  for (std::size_t cell = 0; cell < comparison.counts.size(); ++cell) {
    const double expected = comparison.expected[cell] * static_cast<double>(kScoreScale);
    const std::int64_t count = std::clamp<std::int64_t>(comparison.counts[cell], 0, count_limit);
    const bool fits = Fits(expected, limit);
    all_fit = all_fit && fits;
    distance += fits ? std::abs(count * kScoreScale - Round(expected)) : 0;
  }
  if (!all_fit) {
    return ResourceExhausted(
        "the model expects a count in a marginal with {} cells that is not finite, or too large for a 64-bit score",
        cells);
  }
  return ScaledDistance{distance};
}

absl::StatusOr<std::int64_t> Score(const ScoredQuery& query, ScaledDistance error) {
  return AugmentedScore(query, error, ScaledDistance{0});
}

absl::StatusOr<std::int64_t> AugmentedScore(const ScoredQuery& query, ScaledDistance error,
                                            ScaledDistance heterogeneity) {
  CHECK(query.weight > 0);
  const double penalty = query.penalty_records * static_cast<double>(kScoreScale);
  if (!Fits(penalty, kMaxUnits)) {
    return InvalidArgument("the penalty of {} records is too large for a 64-bit score", query.penalty_records);
  }
  const Int128 difference = static_cast<Int128>(error.units) - Round(penalty) - heterogeneity.units;
  return Saturate(static_cast<Int128>(Saturate(difference)) * query.weight);
}

}  // namespace flaim
