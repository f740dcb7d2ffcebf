#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/check.h"
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

// By how much rho of the split noise exceeds 1 / (2 sigma^2) times the squared sensitivity, at most, for one record
// that moves `moved` counts by one each, with the `honest` shares that are certain (more shares only add to them).
//
// Kairouz, Liu, Steinke 2021 (arXiv 2102.06387), Proposition 14: for n shares of parameter s^2 the divergence of order
// alpha is at most alpha D^2 / (2 n s^2) + tau d, and at most alpha (D / (sqrt(n) s) + tau sqrt(d))^2 / 2, with
//   tau = 10 sum of exp(-2 pi^2 s^2 k / (k + 1)) over k = 1 .. n - 1.
// Here D^2 = u^2 d. Counts that do not move have equal distributions, so d counts the moved ones only. As alpha > 1,
// the excess over alpha D^2 / (2 n s^2) is at most alpha times the smaller of tau d and tau d u / (sqrt(n) s) + tau^2 d
// / 2. The authors ask for s >= 1/2. REQUIRES: plan.HasNoise(), honest >= 1, moved >= 0.
inline double PriceOfSplitting(const NoisePlan& plan, int honest, int moved) {
  CHECK(plan.HasNoise() && honest >= 1 && moved >= 0);
  const double share_variance = plan.share_variance().ToDouble();
  const auto term = [&](double k) {
    return std::exp(-2 * std::numbers::pi * std::numbers::pi * share_variance * k / (k + 1));
  };
  // Terms fall with k: beyond the thousandth, each is taken to be as large as that one.
  constexpr int kSummed = 1000;
  double sum = 0;
  for (int k = 1; k < std::min(honest, kSummed); ++k) sum += term(k);
  if (honest > kSummed) sum += (honest - kSummed) * term(kSummed);
  const double tau = 10 * sum;
  const double scale = static_cast<double>(plan.resolution()) / std::sqrt(honest * share_variance);
  return moved * std::min(tau, tau * scale + tau * tau / 2);
}

}  // namespace flaim::secagg
