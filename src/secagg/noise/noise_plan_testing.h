#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random_source.h"
#include "secagg/noise/noise_plan.h"

// For tests only.

namespace flaim::secagg {

// Of `draws` sums of the noise of so many contributors, in squared counts, before rounding. The mean is known to be 0,
// so the estimate has a relative standard error of sqrt(2 / draws).
inline double SampleVarianceOfSum(const NoisePlan& plan, int contributors, int draws, RandomSource& random) {
  std::vector<std::int64_t> sums(draws, 0);
  std::vector<std::int64_t> share(draws);
  for (int contributor = 0; contributor < contributors; ++contributor) {
    share.assign(draws, 0);
    plan.AddShare(random, share);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += share[i];
  }
  double squares = 0;
  for (const std::int64_t sum : sums) squares += static_cast<double>(sum) * static_cast<double>(sum);
  const auto units = static_cast<double>(plan.resolution());
  return squares / draws / (units * units);
}

}  // namespace flaim::secagg
