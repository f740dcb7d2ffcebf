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

// The same for the augmented scores: 2 * kScoreScale * max w_q.
//
// The heterogeneity that is subtracted moves by at most S as well: the oracle's is one more scaled distance; the proxy
// is a sum of |q| distances at scale S / |q|, each of which moves by at most S / |q|. A record can raise the one and
// lower the other, so the two add up, and there is no factor to save: both directions occur (the score is not
// monotone).
absl::StatusOr<std::int64_t> AugmentedScoreSensitivity(std::span<const std::int64_t> weights);

}  // namespace flaim
