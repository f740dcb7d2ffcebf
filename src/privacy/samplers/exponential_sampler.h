#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/random_source.h"
#include "privacy/numbers/rational.h"

namespace flaim {

// The exponential mechanism's draw: candidate q is chosen with probability exactly proportional to
// exp(epsilon * score_q / (2 * sensitivity)). No softmax in floating point takes part: a rounding there would depend on
// the private scores. Scores may lie anywhere in the 64-bit range, as far apart as it allows.
//
// Only draws: the release that pays for the choice is elsewhere. Time grows linearly with the number of candidates,
// and is not constant over the scores.
//
// REQUIRES: scores is not empty and sensitivity >= 1.
std::size_t SampleExponential(std::span<const std::int64_t> scores, const Rational& epsilon, std::int64_t sensitivity,
                              RandomSource& random);

}  // namespace flaim
