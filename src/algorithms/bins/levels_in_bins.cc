#include "algorithms/bins/levels_in_bins.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "algorithms/bins/nearest_shares.h"
#include "base/check.h"

namespace flaim {
namespace {

// Of a bin, what is divided by what counts are likely to be instead of by what was seen.
constexpr double kLikelyShare = 0.03;

// phi(x) / Phi(-x), the mean of a standard normal variable that is known to exceed x, without dividing zero by zero.
double MeanAbove(double x) {
  if (x > 30) return x + (1 - 2 / (x * x) + 10 / (x * x * x * x)) / x;  // the asymptotic series
  const double above = std::erfc(x / std::numbers::sqrt2) / 2;
  return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi) / above;
}

// Shares within each bin.
void NormaliseInBins(const std::vector<std::uint32_t>& bin_of_value, std::size_t bins, std::vector<double>& shares) {
  std::vector<double> sums(bins, 0.0);
  for (std::size_t value = 0; value < shares.size(); ++value) sums[bin_of_value[value]] += shares[value];
  for (std::size_t value = 0; value < shares.size(); ++value) {
    const double sum = sums[bin_of_value[value]];
    shares[value] = sum > 0 ? shares[value] / sum : 0;
  }
}

std::vector<double> SharesInBins(const std::vector<std::uint32_t>& bin_of_value, std::size_t bins,
                                 const std::vector<double>& noisy_counts, double sigma, double total) {
  std::vector<double> noisy;
  for (const double count : noisy_counts) noisy.push_back(count / total);
  std::vector<double> seen = NearestShares(noisy);
  std::vector<double> held(bins, 0.0);
  std::vector<double> values(bins, 0.0);
  for (std::size_t value = 0; value < seen.size(); ++value) {
    held[bin_of_value[value]] += seen[value];
    ++values[bin_of_value[value]];
  }
  std::vector<double> likely(seen.size());
  for (std::size_t value = 0; value < seen.size(); ++value) {
    const std::uint32_t bin = bin_of_value[value];
    // An empty bin has a record, as far as this is concerned.
    const double mean = std::max(held[bin] * total, 1.0) / values[bin];
    likely[value] = PosteriorMeanOfCount(noisy_counts[value], sigma, mean);
  }
  NormaliseInBins(bin_of_value, bins, seen);
  NormaliseInBins(bin_of_value, bins, likely);
  std::vector<double> shares(seen.size());
  for (std::size_t value = 0; value < seen.size(); ++value) {
    const bool is_seen = held[bin_of_value[value]] > 0;
    shares[value] = is_seen ? (1 - kLikelyShare) * seen[value] + kLikelyShare * likely[value] : likely[value];
  }
  return shares;
}

}  // namespace

// With density exp(-count / prior_mean) on the positive numbers, the posterior is a normal distribution around noisy -
// sigma^2 / prior_mean, cut off at zero.
double PosteriorMeanOfCount(double noisy, double sigma, double prior_mean) {
  CHECK(sigma > 0 && prior_mean > 0);
  const double centre = noisy - sigma * sigma / prior_mean;
  return centre + sigma * MeanAbove(-centre / sigma);
}

Levels LevelsInBins(const Bins& bins, const std::vector<std::vector<double>>& noisy_counts,
                    const std::vector<double>& sigma, double total) {
  CHECK(std::ssize(noisy_counts) == bins.values().size() && total > 0);
  std::vector<std::vector<double>> shares;
  for (AttributeIndex attribute = 0; attribute < bins.values().size(); ++attribute) {
    shares.emplace_back();
    if (!bins.HasBins(attribute)) continue;
    const auto index = static_cast<std::size_t>(attribute);
    shares.back() = SharesInBins(bins.Of(attribute), static_cast<std::size_t>(bins.bins()[attribute].size),
                                 noisy_counts[index], sigma[index], total);
  }
  absl::StatusOr<Levels> levels = Levels::Create(bins, std::move(shares));
  CHECK(levels.ok(), "{}", std::string(levels.status().message()));
  return *std::move(levels);
}

}  // namespace flaim
