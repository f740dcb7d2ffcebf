#include "algorithms/aim/candidates.h"

#include "model/inference/triangulation.h"

namespace flaim {

std::vector<std::size_t> AffordableCandidates(std::span<const WeightedQuery> candidates, const JunctionTree& tree,
                                              std::span<const Clique> model_cliques, std::int64_t max_cells) {
  const HypotheticalSize size(tree.domain(), {model_cliques.begin(), model_cliques.end()});
  std::vector<std::size_t> affordable;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Clique& clique = candidates[i].clique;
    if (tree.NodeCovering(clique) >= 0 || size.CellsWith(clique) <= static_cast<double>(max_cells)) {
      affordable.push_back(i);
    }
  }
  return affordable;
}

}  // namespace flaim
