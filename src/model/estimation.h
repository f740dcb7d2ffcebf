#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "model/belief_propagation.h"
#include "model/measurement.h"

namespace flaim {

// Finds the distribution p that fits noisy marginals best:
//
//   minimise over p   f(p) = 1/2 sum_q ||N p_q - y_q||^2 / variance_q,
//
// where p ranges over all distributions on the domain, i.e. its marginals over the marginal polytope. The answer is
// kept as log-potentials over the measured cliques, so it is also the one of highest entropy that can be written so.
//
// Mirror descent (McKenna et al. 2019) adds -step * gradient to the potentials and infers marginals again. For a
// quadratic f a step is safe exactly when
//   1/2 sum_q ||N p'_q - N p_q||^2 / variance_q  <=  KL(p' || p) / step,
// and both sides are known after inference, so the step adapts to the curvature that is really there instead of to its
// worst case. Acceleration extrapolates the potentials as Nesterov does and starts again when the loss rises.
//
// Certificate. f is convex, so for every distribution v, f(v) >= f(p) + <gradient, v - p>. The least value of the right
// side over all v is a maximum over records, which the junction tree finds exactly. f(p) minus that bound is the gap:
// f(p) is within it of the optimum, whatever the method did.

enum class EstimationMethod : std::uint8_t { kMirrorDescent, kAccelerated };

struct EstimationOptions {
  EstimationMethod method = EstimationMethod::kAccelerated;
  int max_iterations = 1000;
  // Stops when the certified gap is at most this share of the loss, or of half a unit per measured cell if that is
  // more: the loss that noise alone leaves behind, below which a better fit fits noise.
  double relative_gap = 1e-3;
  // The gap costs about as much as a third of an iteration.
  int iterations_between_gaps = 10;
  // Measures the gap against the loss alone, for problems whose optimum is wanted to many digits.
  bool ignore_noise_floor = false;
};

struct EstimationSummary {
  int iterations = 0;
  double loss = 0;
  double gap = 0;  // certified: loss - gap <= optimum
  bool converged = false;
};

struct Estimate {
  std::vector<double> potentials;  // over the measured cliques
  std::vector<double> marginals;   // probabilities, over the measured cliques
  double log_partition = 0;
  EstimationSummary summary;
};

// Fits the potentials over `oracle.layout()`, whose cliques must be those of `measurements`, one each, in order. Starts
// from `initial` potentials. After the call, `oracle` holds the node marginals of the answer.
Estimate EstimatePotentials(BeliefPropagation& oracle, std::span<const Measurement> measurements, double total,
                            std::vector<double> initial, const EstimationOptions& options, Parallel& parallel);

}  // namespace flaim
