#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "marginal/workload.h"

namespace flaim {

// A clique with more attributes has too many subsets to list; asking for its completion is an error.
inline constexpr int kMaxQueryAttributes = 16;

// Over which queries r the weight w_q = sum over r of weight(r) * |q intersect r| is taken. The paper's published
// figures use the originals; its pseudocode says the completion.
enum class WeightBase {
  kOriginals,
  // Each r of the completion counts once; one that the workload lists itself keeps the weight given there.
  kCompletion,
};

// The downward closure of a workload: every non-empty subset of every query, once, by size and then lexicographically.
absl::StatusOr<std::vector<Clique>> Completion(const Workload& workload);

// The completion, each clique q with its weight w_q > 0: the candidates among which AIM and FLAIM select.
absl::StatusOr<std::vector<WeightedQuery>> WeightedCompletion(const Workload& workload,
                                                              WeightBase base = WeightBase::kOriginals);

}  // namespace flaim
