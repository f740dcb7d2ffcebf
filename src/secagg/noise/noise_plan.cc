#include "secagg/noise/noise_plan.h"

#include "base/check.h"
#include "base/int128.h"
#include "base/status.h"
#include "privacy/samplers/discrete_gaussian.h"

namespace flaim::secagg {
namespace {

// numerator / denominator, reduced where that makes it fit, otherwise the next larger multiple of a power of two.
// REQUIRES: 0 < numerator <= 2^40 denominator; numerator < 2^87; denominator < 2^87.
Rational NotBelow(UInt128 numerator, UInt128 denominator) {
  UInt128 divisor = numerator;
  for (UInt128 rest = denominator; rest != 0;) {
    const UInt128 next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  numerator /= divisor;
  denominator /= divisor;
  constexpr auto kMaxTerm = static_cast<UInt128>(Rational::kMaxTerm);
  if (numerator <= kMaxTerm && denominator <= kMaxTerm) {
    return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
  }
  int bits = 0;
  while (bits < 40 && (numerator << (bits + 1)) <= denominator * kMaxTerm) ++bits;
  const UInt128 multiple = ((numerator << bits) + denominator - 1) / denominator;
  return {static_cast<std::int64_t>(multiple), std::int64_t{1} << bits};
}

}  // namespace

NoisePlan NoisePlan::None() { return {Rational(0, 1), 1}; }

absl::StatusOr<NoisePlan> NoisePlan::Split(const Rational& sigma_squared, int honest) {
  if (sigma_squared.numerator() == 0) {
    return InvalidArgument("sigma^2 is 0: that is no noise; give a sigma above 0, or say that the sum is exact");
  }
  const UInt128 denominator = static_cast<UInt128>(sigma_squared.denominator()) * static_cast<UInt128>(honest);
  UInt128 numerator = static_cast<UInt128>(sigma_squared.numerator());
  std::int64_t resolution = 1;
  while (honest > 1 && numerator < kLeastShareVariance * denominator) {
    numerator *= 4;
    resolution *= 2;
    if (resolution > kMaxResolution) {
      return InvalidArgument("sigma^2 = {} is too small to be split over {} participants; give a larger sigma",
                             sigma_squared.ToString(), honest);
    }
  }
  return NoisePlan(NotBelow(numerator, denominator), resolution);
}

absl::StatusOr<NoisePlan> NoisePlan::Make(const Rational& sigma_squared, const ParticipantBounds& bounds) {
  if (bounds.dropouts < 0 || bounds.colluders < 0 || bounds.invited > kMostParticipants) {
    return InvalidArgument("{} invited, {} dropouts and {} colluders are no bounds of a sum", bounds.invited,
                           bounds.dropouts, bounds.colluders);
  }
  const std::int64_t honest = std::int64_t{bounds.invited} - bounds.dropouts - bounds.colluders;
  if (honest < 1) {
    return InvalidArgument(
        "of {} participants {} may drop out and {} may collude, so nobody honest is sure to add noise; allow fewer "
        "dropouts or colluders, or invite more sites",
        bounds.invited, bounds.dropouts, bounds.colluders);
  }
  return Split(sigma_squared, static_cast<int>(honest));
}

double NoisePlan::VarianceOf(int contributors) const {
  const auto units = static_cast<double>(resolution_);
  return contributors * share_variance_.ToDouble() / (units * units);
}

double NoisePlan::VarianceOfCounts(int contributors) const {
  if (resolution_ == 1) return VarianceOf(contributors);
  const auto units = static_cast<double>(resolution_);
  return VarianceOf(contributors) + (units * units + 2) / (12 * units * units);
}

void NoisePlan::AddShares(int shares, RandomSource& noise, std::span<std::int64_t> counts) const {
  if (!HasNoise()) return;
  if (resolution_ > 1) {
    for (std::int64_t& count : counts) {
      CHECK(!__builtin_mul_overflow(count, resolution_, &count), "a count times the resolution exceeds 64 bits");
    }
  }
  const DiscreteGaussian share(share_variance_);
  for (int drawn = 0; drawn < shares; ++drawn) share.Add(noise, counts);
}

std::int64_t NoisePlan::ToCount(std::int64_t sum) const {
  const std::int64_t rest = sum & (resolution_ - 1);
  const std::int64_t below = (sum - rest) / resolution_;
  const bool is_up = 2 * rest > resolution_ || (2 * rest == resolution_ && below % 2 != 0);
  return is_up ? below + 1 : below;
}

absl::StatusOr<Rational> WithPriceOfSplitting(const Rational& sigma_squared) {
  if (sigma_squared.numerator() >= Rational::kMaxTerm) {
    return InvalidArgument("sigma^2 = {} is too large to be split", sigma_squared.ToString());
  }
  std::int64_t numerator = sigma_squared.numerator();
  std::int64_t denominator = sigma_squared.denominator();
  while (2 * numerator < Rational::kMaxTerm && 2 * denominator <= Rational::kMaxTerm) {
    numerator *= 2;
    denominator *= 2;
  }
  return Rational(numerator + 1, denominator);
}

}  // namespace flaim::secagg
