#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "model/estimation/fit_report.h"
#include "model/estimation/measurement.h"
#include "model/inference/model.h"

namespace flaim {

// Finds the distribution p that fits noisy marginals best:
//
//   minimise over p   f(p) = 1/2 sum_q ||N p_q - y_q||^2 / variance_q,
//
// where p ranges over all distributions on the domain without the structural zeros, i.e. its marginals over the
// marginal polytope. The answer is kept as log-potentials over the measured cliques.
//
// With a prior, p minimises f(p) + prior * KL(p || uniform) instead: of all that fit about as well, the distribution
// that says least. That is what ending a descent early does by accident, made deliberate: noise is fitted less, and
// rows that were not seen stay possible.
//
// Certificate. For every g, f(v) >= <g, v - b> - 1/2 sum g^2 / w (Young), and the least right side over all
// distributions v is a maximum over records, which the junction tree finds exactly. f(p) minus that bound is the gap:
// f(p) is within it of the optimum, whatever the method did. Derivations: docs/ESTIMATION.md.

enum class EstimationMethod : std::uint8_t {
  kMirrorDescent,   // as in the paper: potentials minus step times gradient
  kProximalNewton,  // implicit steps, solved by Newton's method: the default, and much faster
};

struct EstimationOptions {
  EstimationMethod method = EstimationMethod::kProximalNewton;
  int max_iterations = 1000;
  // Stops when the certified gap is at most this share of the loss, or of the loss that noise alone leaves behind if
  // that is more. 0 never stops early, to reproduce a fixed number of iterations.
  double relative_gap = 1e-3;
  // How strongly the model is pulled to the uniform distribution over the records that can occur; 0: not at all. The
  // optimum is then unique, and no potential runs to infinity. By the proximal Newton method only.
  double prior = 0;
  // Measures the gap against the loss alone, for problems whose optimum is wanted to many digits.
  bool ignore_noise_floor = false;

  bool operator==(const EstimationOptions&) const = default;
};

// Cells of a marginal that no record can have: public knowledge, such as "no pregnant men".
struct StructuralZeros {
  Clique clique;
  std::vector<std::int64_t> cells;  // positions, row-major in sorted attribute order
};

struct EstimationProblem {
  Domain domain;
  std::vector<Measurement> measurements;  // repeated cliques are merged
  std::vector<StructuralZeros> zeros;
  double total;
  std::int64_t max_cells;  // of the junction tree
};

struct Estimate {
  Model model;
  FitQuality quality;
  bool converged = false;  // to the gap asked for
};

// Starts from the potentials of `start` where it has the same cliques, if there is one. An error if the tree would be
// too large or the zeros leave no record; running out of iterations is none, and shows in `converged`.
// Cancelled, within an iteration, when the team is asked to stop.
absl::StatusOr<Estimate> EstimateModel(const EstimationProblem& problem, const Model* start,
                                       const EstimationOptions& options, Parallel& parallel);

// The same for measurements that were paid for, which must never end without a model: of those that a tree of
// `max_cells` cells does not hold together, the later ones are left out. The zeros and one-way marginals still have to
// fit.
absl::StatusOr<Estimate> EstimateFromWhatFits(EstimationProblem problem, const Model* start,
                                              const EstimationOptions& options, Parallel& parallel);

}  // namespace flaim
