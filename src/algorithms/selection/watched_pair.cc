#include "algorithms/selection/watched_pair.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flaim {

double SamplingVariance(const WatchedPair& pair, const ChooseThenMeasure& plan,
                        const std::map<AttributeIndex, double>& between_groups) {
  const auto groups = static_cast<double>(pair.parts.size());
  const auto rounds = static_cast<double>(plan.rounds);
  return kHeterogeneityOfPairs * BetweenGroupsOf(pair.query.clique, between_groups) *
         std::max(0.0, 1 / groups - 1 / rounds);
}

double EstimatedError(const WatchedPair& pair, std::span<const double> shares) {
  double excess = 0;
  double squares = 0;
  double spread = 0;
  for (std::size_t cell = 0; cell < shares.size(); ++cell) {
    const double residual = pair.sum[cell] - pair.rows * shares[cell];
    excess += shares[cell] * (residual * residual - pair.variance);
    squares += shares[cell] * shares[cell];
    spread += std::sqrt(shares[cell]);
  }
  const double tau_squared = excess / squares - kDoubt * pair.variance * std::sqrt(2 / squares) -
                             pair.sampling_variance * pair.rows * pair.rows;
  if (tau_squared <= 0) return 0;
  return std::min(2 * pair.rows, std::sqrt(2 / std::numbers::pi * tau_squared) * spread);
}

double NoiseOfPairAtTheEnd(const WatchedPair& pair, std::size_t watched, const ChooseThenMeasure& plan) {
  const auto groups = static_cast<double>(pair.parts.size());
  const double groups_to_come = std::max(0.0, static_cast<double>(plan.rounds) - groups);
  const double watched_variance = pair.variance / groups;
  const double later_variance = watched_variance * plan.marginals / static_cast<double>(watched);
  return groups / std::sqrt(groups / watched_variance + groups_to_come / later_variance);
}

}  // namespace flaim
