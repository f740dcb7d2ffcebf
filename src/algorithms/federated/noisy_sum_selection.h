#pragma once

#include <vector>

#include "absl/status/status.h"
#include "algorithms/federated/federated_state.h"

namespace flaim {

// Selection from noisy sums: the first groups measure *all* pairs of the workload, and whoever has the sums chooses
// from them. Choosing is post-processing, so it is free, and can fit the model anew after every choice. Needs nothing
// but secure sums, and sees the error of the sum, which clients that score by themselves cannot.
//
// For the residuals r of a pair, noise of variance sigma^2 and the model's shares m, assume r_c ~ N(0, tau^2 m_c): then
//
//   tau^2 = sum m_c (r_c^2 - sigma^2) / sum m_c^2   with standard deviation  sigma^2 sqrt(2 / sum m_c^2),
//
// and the expected L1 error is sqrt(2/pi) tau sum sqrt(m_c). What is within two standard deviations is taken for noise,
// and what few groups may differ by from all is subtracted. Weighing cells by m_c matters: most cells of a large pair
// are nearly empty and hold nothing but noise. docs/METHODS.md says what it gains.

// The pairs that are measured: public, and the same in every round.
std::vector<Clique> WatchedCandidates(const Domain& domain, const FederatedState& state);

// Chooses pairs, one after the other, as long as one is worth its noise and the method wants more. What was measured of
// them becomes part of what the model is fitted to. Does so once in a run, and nothing where nothing was watched.
absl::Status ChooseFromNoisySums(const FederatedRun& run, FederatedState& state);

}  // namespace flaim
