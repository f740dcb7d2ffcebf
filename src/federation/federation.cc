#include "federation/federation.h"

#include <algorithm>

namespace flaim {

NoisyMarginals MarginalsOf(const Domain& domain, std::span<const Clique> cliques, const NoisyCounts& stacked) {
  NoisyMarginals noisy{.marginals = {},
                       .provenance = stacked.provenance,
                       .variance = stacked.variance,
                       .contributors = stacked.contributors};
  auto next = stacked.values.begin();
  for (const Clique& clique : cliques) {
    const std::int64_t cells = CellCount(domain, clique).value();
    noisy.marginals.push_back({.clique = clique, .counts = {next, next + cells}});
    next += cells;
  }
  return noisy;
}

}  // namespace flaim
