#pragma once

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"

namespace flaim {

// The score by which a query is selected for measurement, in integers, so that the exponential mechanism samples
// exactly and a sensitivity is a fact about integers instead of an estimate about rounding:
//
//   u(q) = w_q * ( |S M_q - round(S m_q)|_1 - round(S penalty) - heterogeneity )
//
// M_q are the private counts, m_q the counts that the public model expects, S = kScoreScale. How far one record moves
// it stands in sensitivity.h. All arithmetic is checked: what does not fit into 64 bits is an error, never a wrong
// score.

// S: one record is this many units. Divisible by every clique size up to kMaxScoredAttributes, so that the average over
// the attributes of a clique (the 1/|q| of the heterogeneity proxy) needs no rounding.
inline constexpr std::int64_t kScoreScale = 2520;
inline constexpr int kMaxScoredAttributes = 10;

// Private counts and what they are compared with, which is public (or, for the oracle, not private at all): cell by
// cell.
struct Comparison {
  std::span<const std::int64_t> counts;
  std::span<const double> expected;
};

// An L1 distance in units of 1/kScoreScale record.
struct ScaledDistance {
  std::int64_t units = 0;

  bool operator==(const ScaledDistance&) const = default;
};

// |S M - round(S m)|_1. REQUIRES: as many expected as counts. An error if one is not
// finite, a count is negative, or the sum could exceed 64 bits.
absl::StatusOr<ScaledDistance> Distance(const Comparison& comparison);

// The heterogeneity of AugFLAIM (Private): the distance between the client's one-way marginals and the public ones,
// averaged over the attributes of the query. The oracle's heterogeneity is simply Distance(client, everybody).
// An error for no attributes or more than kMaxScoredAttributes.
absl::StatusOr<ScaledDistance> MeanOneWayDistance(std::span<const Comparison> one_ways);

// What is known about the query before looking at the data.
struct ScoredQuery {
  std::int64_t weight = 1;     // w_q > 0
  double penalty_records = 0;  // the expected error of measuring q, sqrt(2/pi) * sigma * n_q
};

// The score of AIM, DistAIM and NaiveFLAIM. Its sensitivity is ScoreSensitivity.
absl::StatusOr<std::int64_t> Score(const ScoredQuery& query, ScaledDistance error);

// The score of AugFLAIM. Its sensitivity is AugmentedScoreSensitivity.
absl::StatusOr<std::int64_t> AugmentedScore(const ScoredQuery& query, ScaledDistance error,
                                            ScaledDistance heterogeneity);

}  // namespace flaim
