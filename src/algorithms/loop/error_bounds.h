#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "marginal/workload.h"
#include "model/estimation/fit_report.h"
#include "model/inference/model.h"

namespace flaim {

// How far the model can be from the private table, marginal by marginal, at no privacy cost: everything used was
// released. Each candidate's bound holds with the confidence asked for, by itself: all of them at once hold with less.
// Proofs: docs/ERROR_BOUNDS.md; the ideas are those of McKenna et al. 2022, section 5.

// The last round of a run: what was selected from what, and what came out. It is the last by a decision made before its
// noise was drawn, so a statement about it needs no correction for having been picked.
struct LastRound {
  std::vector<std::size_t> affordable;  // positions of the candidates
  std::size_t selected = 0;             // position of the candidate chosen
  std::vector<double> noisy;            // its measurement
  double sigma = 0;
  double penalty_records_per_cell = 0;  // what the scores were lowered by
  double score_noise_records = 0;       // 2 * sensitivity / epsilon of the selection, in records
  const Model* before = nullptr;        // the model that the scores were taken from
};

// For each candidate that is covered by a measurement, or was selectable in the last round, in their order.
// `measurements` are in the order of their release, not merged. Cancelled when the team is asked to stop.
absl::StatusOr<std::vector<ErrorBound>> BoundErrors(std::span<const WeightedQuery> candidates, const Model& model,
                                                    std::span<const Measurement> measurements, const LastRound& last,
                                                    double confidence, Parallel& parallel);

}  // namespace flaim
