#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/table/domain.h"
#include "marginal/clique.h"

namespace flaim {

// One walk over the rows: counts one clique, and from its counts all of its members by summing out.
struct CountingPass {
  Clique counted;
  std::vector<std::size_t> members;  // positions in the list of cliques; each is a subset of `counted`
};

// Passes that together count every clique of the list, sorted by the clique counted.
//
// Summing out a table of a few thousand cells is much cheaper than walking over the rows once more, so small cliques
// are merged into a common superset as long as it has at most a quarter as many cells as there are rows, and fits into
// the first-level cache. Larger cliques get a pass of their own. First fit among the latest few supersets, in
// lexicographic order: close to what an exhaustive search finds on the workloads measured, and linear in the number of
// cliques.
std::vector<CountingPass> PlanPasses(const Domain& domain, std::span<const Clique> cliques, std::size_t rows);

}  // namespace flaim
