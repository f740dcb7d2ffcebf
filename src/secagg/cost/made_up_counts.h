#pragma once

#include <cstdint>
#include <vector>

#include "secagg/protocol/paid_counts.h"

namespace flaim::secagg {

// Counts of nobody, which cost nobody anything and may go into any sum. For tests, and to measure what a sum costs: the
// architecture test has the list of who may include this.
PaidCounts MadeUpCounts(std::vector<std::vector<std::int64_t>> blocks);

}  // namespace flaim::secagg
