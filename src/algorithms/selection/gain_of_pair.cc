#include "algorithms/selection/gain_of_pair.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace flaim {

double ExcessVariance(const PairSeen& seen) {
  CHECK(seen.counts.size() == seen.expected.size());
  double excess = 0;
  double squares = 0;
  for (std::size_t cell = 0; cell < seen.counts.size(); ++cell) {
    const double share = seen.expected[cell];
    const double residual = seen.counts[cell] - seen.total * share;
    excess += share * (residual * residual - seen.variance);
    squares += share * share;
  }
  if (!(squares > 0)) return 0;
  return std::max(0.0, excess / squares - seen.variance * std::sqrt(2 / squares));
}

double ExpectedGain(const PairSeen& seen, double variance_at_the_end) {
  const double excess = ExcessVariance(seen);
  double gain = 0;
  for (const double share : seen.expected) {
    const double error = excess * share;
    if (error > 0) gain += std::sqrt(error) - std::sqrt(error * variance_at_the_end / (error + variance_at_the_end));
  }
  return std::sqrt(2 / std::numbers::pi) * gain;
}

}  // namespace flaim
