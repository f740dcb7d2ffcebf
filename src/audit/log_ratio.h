#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "privacy/budget/charge.h"

namespace flaim {

// How much likelier a release was with a record than without it: the logarithm of the ratio of the two probabilities,
// exactly, from what the mechanism is said to be. Sums over a transcript: given equal earlier releases, both tables are
// asked the same next question.

// Of counts with discrete Gaussian noise. The noise has the same probabilities around both, so only squares are left.
// REQUIRES: three equally long vectors.
double LogRatioOfCounts(std::span<const std::int64_t> released, std::span<const std::int64_t> with,
                        std::span<const std::int64_t> without, const Rational& sigma_squared);

// Of one choice by the exponential mechanism. REQUIRES: chosen < with.size() == without.size().
double LogRatioOfChoice(std::size_t chosen, std::span<const std::int64_t> with, std::span<const std::int64_t> without,
                        const ExponentialMechanism& mechanism);

// What this very record costs in these very releases, in zCDP: at most what is charged, if sensitivities are right.
double PriceOfCounts(std::span<const std::int64_t> with, std::span<const std::int64_t> without,
                     const Rational& sigma_squared);
double PriceOfChoice(std::span<const std::int64_t> with, std::span<const std::int64_t> without,
                     const ExponentialMechanism& mechanism);

}  // namespace flaim
