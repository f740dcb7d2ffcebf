#pragma once

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "privacy/numbers/rational.h"
#include "secagg/graph/graph_parameters.h"

namespace flaim::secagg {

// How the noise of a sum is split over those who contribute, so that the server sees nothing without it.
//
// Everybody adds a discrete Gaussian of variance sigma^2 / h, where h = least survivors - colluders counts those who
// are certainly in the sum and do not tell the server their noise. So after the worst dropout that the study allows,
// and with the colluders' noise subtracted, sigma^2 is left; without dropouts and colluders there is a surplus.
//
// A sum of discrete Gaussians is not quite one. The difference is charged (PriceOfSplitting), and kept below notice by
// counting in finer units where h is large: with resolution u, counts are multiplied by u, a share has variance
// u^2 sigma^2 / h >= kLeastShareVariance, and the sum is divided by u again, rounded to the nearest integer. That adds
// a variance of (u^2 + 2) / (12 u^2), at most 1/8; halves go to the even count, because away from zero they would raise
// every positive count by 1 / (2u) on average. Where h = 1 nothing is split, and u is 1.
//
// "Variance" is the parameter sigma^2 of the discrete Gaussian, which privacy is computed from; its statistical
// variance is the same to six digits from 1 on, and smaller below.
class NoisePlan {
 public:
  // From here on, and for a million contributors or fewer, PriceOfSplitting is below 2^-50 of what the noise costs.
  static constexpr int kLeastShareVariance = 6;
  static constexpr std::int64_t kMaxResolution = std::int64_t{1} << 20;

  // No noise: the sum is exact, and whoever sees it must be trusted with it.
  static NoisePlan None();

  // InvalidArgument if nobody honest is certainly left, sigma^2 is 0, or it is too small to be split over so many.
  static absl::StatusOr<NoisePlan> Make(const Rational& sigma_squared, const ParticipantBounds& bounds);

  bool HasNoise() const { return share_variance_.numerator() > 0; }
  // A power of two.
  std::int64_t resolution() const { return resolution_; }
  // Of one contributor, in squared units of 1 / resolution. Never below resolution^2 sigma^2 / h.
  const Rational& share_variance() const { return share_variance_; }

  // Of the sum of so many contributors, in squared counts, before it is rounded to counts.
  double VarianceOf(int contributors) const;
  // The same with what rounding adds: what whoever uses the counts should know.
  double VarianceOfCounts(int contributors) const;

  // Multiplies each count by the resolution and adds this contributor's share of the noise. CHECKs against overflow.
  void AddShare(RandomSource& noise, std::span<std::int64_t> counts) const { AddShares(1, noise, counts); }
  // The same for a contributor that does not count on others and draws their shares besides its own, one by one: what
  // is in the sum then is the noise that was planned for, and more, independent of it. One draw of the same variance
  // would be another distribution, for which exact accounting does not hold.
  void AddShares(int shares, RandomSource& noise, std::span<std::int64_t> counts) const;

  // From the sum of what AddShares made to counts: the nearest integer, halves to the even one.
  std::int64_t ToCount(std::int64_t sum) const;

  bool operator==(const NoisePlan&) const = default;

 private:
  NoisePlan(Rational share_variance, std::int64_t resolution)
      : share_variance_(share_variance), resolution_(resolution) {}

  static absl::StatusOr<NoisePlan> Split(const Rational& sigma_squared, int honest);

  Rational share_variance_;
  std::int64_t resolution_;
};

// A hair more noise than was paid for, so that what splitting costs is paid for too: (n + 1) / d for n / d, with the
// largest terms that the fraction can be written in. With n at most 2^40 that lowers rho by a part in 2^41 or more, far
// above PriceOfSplitting; and for sigma^2 of 2^-7 or more it raises the noise by no more than a part in 2^32, which
// exact accounting allows for (DeviationLoss). InvalidArgument if n is 2^40.
absl::StatusOr<Rational> WithPriceOfSplitting(const Rational& sigma_squared);

}  // namespace flaim::secagg
