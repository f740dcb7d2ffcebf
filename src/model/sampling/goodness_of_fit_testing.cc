#include "model/sampling/goodness_of_fit_testing.h"

#include <cmath>
#include <numeric>

#include "base/check.h"

namespace flaim {
namespace {

struct Cell {
  double expected = 0;
  double observed = 0;

  double Distance() const { return (observed - expected) * (observed - expected) / expected; }
};

// P(a chi-squared variable > statistic) is at most exp(-t) for statistic = d + 2 sqrt(d t) + 2 t, with d degrees of
// freedom (Laurent and Massart 2000, Lemma 1).
double TailBound(double statistic, double degrees_of_freedom) {
  if (statistic <= degrees_of_freedom) return 1;
  const double root = (std::sqrt(2 * statistic - degrees_of_freedom) - std::sqrt(degrees_of_freedom)) / 2;
  return std::exp(-root * root);
}

}  // namespace

double GoodnessOfFitPValue(std::span<const std::int64_t> counts, std::span<const double> probabilities) {
  CHECK(counts.size() == probabilities.size());
  const auto draws = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  double statistic = 0;
  int cells = 0;
  Cell pooled;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Cell cell{draws * probabilities[i], static_cast<double>(counts[i])};
    if (probabilities[i] == 0 && counts[i] > 0) return 0;
    if (cell.expected >= 20) {
      statistic += cell.Distance();
      ++cells;
    } else {
      pooled.expected += cell.expected;
      pooled.observed += cell.observed;
    }
  }
  if (pooled.expected >= 20) {
    statistic += pooled.Distance();
    ++cells;
  }
  return cells < 2 ? 1 : TailBound(statistic, cells - 1);
}

}  // namespace flaim
