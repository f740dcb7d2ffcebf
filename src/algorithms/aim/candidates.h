#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marginal/workload.h"
#include "model/inference/junction_tree.h"

namespace flaim {

// C_t: the positions of the candidates that the model can take in without its junction tree growing beyond max_cells.
// What lies within a node of the tree is always among them, because it does not enlarge the tree. Depends on public
// values only.
std::vector<std::size_t> AffordableCandidates(std::span<const WeightedQuery> candidates, const JunctionTree& tree,
                                              std::span<const Clique> model_cliques, std::int64_t max_cells);

}  // namespace flaim
