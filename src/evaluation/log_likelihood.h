#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/table/table.h"
#include "model/inference/model.h"

namespace flaim {

struct LikelihoodOptions {
  // One record in a million is taken to be uniform over the domain. Makes every record possible, and moves the cost of
  // a record that is at least as likely as under the uniform distribution by no more than 1.1e-6 nats.
  static constexpr double kDefaultUniformShare = 1e-6;
  // The share, written lambda below, in [0, 1].
  double uniform_share = kDefaultUniformShare;
};

// How well a model predicts records that it was not fitted to. Lower is better. Like the workload error it is computed
// from true rows without noise: for experiments on public data.
struct HeldOutLikelihood {
  // The mean over the records of -log((1 - lambda) p(record) + lambda / |domain|), in nats. A record costs at most
  // log |domain| - log lambda, however unlikely the model thinks it.
  double smoothed_nats = 0;
  // The same without smoothing, lambda = 0: infinite as soon as one record is impossible.
  double exact_nats = 0;
  // Records whose probability under the model is zero. Impossible, not merely tiny: probabilities are kept as
  // logarithms, so none is lost to underflow.
  std::uint64_t impossible_records = 0;
  std::uint64_t records = 0;
};

// Exact under the model, in one pass over the rows. Refuses no rows, rows over another domain than the model's, and a
// share outside [0, 1].
absl::StatusOr<HeldOutLikelihood> EvaluateLikelihood(const Model& model, const Table& held_out,
                                                     const LikelihoodOptions& options = {});

}  // namespace flaim
