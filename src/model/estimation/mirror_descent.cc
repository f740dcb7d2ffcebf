#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/status.h"
#include "model/estimation/descent.h"

namespace flaim {
namespace {

constexpr int kIterationsBetweenGaps = 10;

struct Point {
  std::vector<double> potentials;
  std::vector<double> marginals;
  double log_partition = 0;
};

double KullbackLeibler(const Point& to, const Point& from) {
  double divergence = from.log_partition - to.log_partition;
  for (std::size_t i = 0; i < to.marginals.size(); ++i) {
    divergence += (to.potentials[i] - from.potentials[i]) * to.marginals[i];
  }
  return divergence;
}

}  // namespace

absl::StatusOr<Descent> MirrorDescent(FitOracle& oracle, const MarginalLoss& loss, std::vector<double> start,
                                      const EstimationOptions& options) {
  std::vector<double> gradient(loss.cells());
  Point current{std::move(start), std::vector<double>(loss.cells())};
  current.log_partition = oracle.Infer(current.potentials, current.marginals);
  Point next = current;
  Descent result;
  double lower_bound = -std::numeric_limits<double>::infinity();
  double step = 1 / loss.WorstCurvature();

  for (int iteration = 0;; ++iteration) {
    loss.Gradient(current.marginals, gradient);
    const bool is_last = iteration >= options.max_iterations;
    if (is_last || (options.relative_gap > 0 && iteration % kIterationsBetweenGaps == 0)) {
      const double value = loss.Loss(current.marginals);
      const double here = Dot(gradient, current.marginals);
      std::transform(gradient.begin(), gradient.end(), next.potentials.begin(), std::negate<>());
      lower_bound = std::max(lower_bound, value - here - oracle.MaximumScore(next.potentials));
      result.quality = {iteration, value, value - lower_bound};
      result.converged = result.quality.gap <= AllowedGap(loss, value, options);
      if (is_last || result.converged) break;
    }
    // The step is safe when f rises above its tangent by no more than the divergence pays for; both are known after
    // inference. So the step adapts to the curvature that is really there instead of to its worst case.
    for (bool is_safe = false; !is_safe;) {
      RETURN_IF_ERROR(oracle.StopIfAsked());
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        next.potentials[i] = current.potentials[i] - step * gradient[i];
      }
      next.log_partition = oracle.Infer(next.potentials, next.marginals);
      const double curvature = step * loss.Curvature(current.marginals, next.marginals);
      const double divergence = KullbackLeibler(next, current);
      // Near the optimum both are smaller than what rounding leaves of a difference of log-partitions.
      const double rounding = 1e-12 * (1 + std::abs(next.log_partition));
      is_safe = curvature <= divergence + rounding;
      step *= !is_safe ? 0.5 : 4 * curvature + rounding < divergence ? 2 : 1;
    }
    std::swap(current, next);
  }
  result.potentials = std::move(current.potentials);
  return result;
}

}  // namespace flaim
