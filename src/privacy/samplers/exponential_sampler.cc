#include "privacy/samplers/exponential_sampler.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/int128.h"
#include "privacy/samplers/exact_categorical.h"

namespace flaim {
namespace {

// gamma_q = epsilon * (best - score_q) / (2 * sensitivity). The factors have at most 40, 64, 1, 63 and 40 bits.
ExponentialWeights WeightsOf(std::span<const std::int64_t> scores, const Rational& epsilon, std::int64_t sensitivity) {
  const auto best = static_cast<std::uint64_t>(*std::max_element(scores.begin(), scores.end()));
  ExponentialWeights weights;
  weights.numerators.reserve(scores.size());
  for (const std::int64_t score : scores) {
    const std::uint64_t behind = best - static_cast<std::uint64_t>(score);
    weights.numerators.push_back(static_cast<UInt128>(epsilon.numerator()) * behind);
  }
  weights.denominator = 2 * static_cast<UInt128>(sensitivity) * static_cast<UInt128>(epsilon.denominator());
  return weights;
}

}  // namespace

std::size_t SampleExponential(std::span<const std::int64_t> scores, const Rational& epsilon, std::int64_t sensitivity,
                              RandomSource& random) {
  CHECK(!scores.empty(), "no candidates");
  CHECK(sensitivity >= 1, "sensitivity {}", sensitivity);
  return ExactCategorical(WeightsOf(scores, epsilon, sensitivity)).Sample(random);
}

}  // namespace flaim
