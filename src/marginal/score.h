#pragma once

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"

namespace flaim {

// The score by which a query is selected for measurement, in integers, so that the exponential mechanism samples
// exactly and a sensitivity is a fact about integers instead of an estimate about rounding:
//
//   u(q) = w_q * ( distance - round(S penalty) - heterogeneity ),   S = kScoreScale.
//
// The distance is between the private counts and what the public model expects: Distance() below if the model's counts
// are public as well, or a ShareDistance (public_shares.h) if only its shares are and the table's own size stands in.
// The heterogeneity of AugFLAIM is a ShareDistance, or a mean of them. How far one record moves each of these scores
// stands in sensitivity.h. All arithmetic is checked. Whether there is an error depends on public numbers alone: counts
// and scores that do not fit into 64 bits count as the most that does.

// S: one record is this many units. Divisible by every clique size up to kMaxScoredAttributes, so that a record's share
// in a mean over the attributes of a clique is a whole number of units, and rounding adds nothing to a sensitivity.
inline constexpr std::int64_t kScoreScale = 2520;
inline constexpr int kMaxScoredAttributes = 10;

// Private counts and what they are compared with, which is public: cell by cell.
struct Comparison {
  std::span<const std::int64_t> counts;
  std::span<const double> expected;
};

// An L1 distance in units of 1/kScoreScale record.
struct ScaledDistance {
  std::int64_t units = 0;

  bool operator==(const ScaledDistance&) const = default;
};

// |S M - round(S m)|_1, with counts clamped to what 64 bits can add up: from 0 to some 10^14, divided by the cells.
// REQUIRES: as many expected as counts. An error if an expected count is not finite, or too large for the sum.
absl::StatusOr<ScaledDistance> Distance(const Comparison& comparison);

// What is known about the query before looking at the data.
struct ScoredQuery {
  std::int64_t weight = 1;     // w_q > 0
  double penalty_records = 0;  // the expected error of measuring q, sqrt(2/pi) * sigma * n_q
};

// The score of AIM, DistAIM and NaiveFLAIM. Its sensitivity is ScoreSensitivity for a Distance, and
// ShareScoreSensitivity for a ShareDistance.
absl::StatusOr<std::int64_t> Score(const ScoredQuery& query, ScaledDistance error);

// The score of AugFLAIM: both are ShareDistances. Its sensitivity is AugmentedShareScoreSensitivity.
absl::StatusOr<std::int64_t> AugmentedScore(const ScoredQuery& query, ScaledDistance error,
                                            ScaledDistance heterogeneity);

}  // namespace flaim
