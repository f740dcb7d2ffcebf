#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/statusor.h"

namespace flaim {

// How far one record can move what is computed from a table: add or remove one row. Every number here is a promise that
// a mechanism is charged for, each is attained by some pair of tables, and sensitivity_slow_test.cc tries to break
// them.

// The squared L2 sensitivity of the counts of `cliques` marginals, put one after the other: `cliques`.
//
// One record lies in exactly one cell of each marginal, so each marginal changes in one cell, by one. The difference
// has `cliques` entries of +1 (or of -1), and its squared norm is their number, for every pair of neighbours.
std::int64_t CountsSensitivitySquared(std::size_t cliques);

// The largest change of any naive score of score.h over candidates with these weights: kScoreScale * max w_q.
//
// One record changes one cell of M_q by one, so the scaled distance |S M_q - round(S m_q)|_1 changes by at most S by
// the triangle inequality, and by exactly S when the model's count stays on one side. The model's counts m_q, the scale
// S and the penalty are public and the same for both tables, so they cancel; the weight multiplies. Comparing with the
// table's own number of rows would break this: then every cell of m_q moves too.
//
// An error if the weights are empty, not positive or too large for a 64-bit score.
absl::StatusOr<std::int64_t> ScoreSensitivity(std::span<const std::int64_t> weights);

// The same for scores whose distance is to shares of the table's own size (public_shares.h): 2 * kScoreScale * max w_q.
//
// One more record moves its cell by one, and the expected counts n m_q by m_q, which adds up to one: by the triangle
// inequality the distance moves by at most 2, and by 2 (1 - m_q[cell]) when the record is the first.
absl::StatusOr<std::int64_t> ShareScoreSensitivity(std::span<const std::int64_t> weights);

// The same for such scores with the heterogeneity of AugFLAIM: 4 * kScoreScale * max w_q.
//
// The heterogeneity that is subtracted moves by at most 2 records as well: the oracle's is one more distance to shares;
// the proxy is the mean of |q| such distances. A record can raise the one and lower the other, so the two add up, and
// there is no factor to save: both directions occur (the score is not monotone).
absl::StatusOr<std::int64_t> AugmentedShareScoreSensitivity(std::span<const std::int64_t> weights);

// The squared L2 sensitivity of the summed scores (ToSummedScore) of this many candidates:
// candidates * (2 kSummedScoreScale)^2. Each moves by at most 2 records; the sum over clients does not add to it,
// because a record is in one client.
std::int64_t SummedScoresSensitivitySquared(std::size_t candidates);

}  // namespace flaim
