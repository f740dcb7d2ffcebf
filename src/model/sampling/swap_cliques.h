#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/table/domain.h"
#include "marginal/clique.h"
#include "marginal/workload.h"

namespace flaim {

// Of one marginal that rows are swapped for (row_swaps.h): larger ones are left out.
inline constexpr std::int64_t kSwapCliqueCells = std::int64_t{1} << 16;

// The marginals to swap for where nobody names any: all pairs and three-ways, as many as there is room for, the same
// ones each time; the one-way marginals if there are no pairs. At most kSwapCliquesMax of them, and kSwapCellsMax
// cells. Depends on the domain alone.
std::vector<Clique> DefaultSwapCliques(const Domain& domain);

inline constexpr std::size_t kSwapCliquesMax = 300;
inline constexpr std::int64_t kSwapCellsMax = std::int64_t{1} << 22;

// Those of a workload, but for the ones that are too large. May be none.
std::vector<Clique> SwapCliques(const Domain& domain, const Workload& workload);

}  // namespace flaim
