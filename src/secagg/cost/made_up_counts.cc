#include "secagg/cost/made_up_counts.h"

#include <utility>

namespace flaim::secagg {

PaidCounts MadeUpCounts(std::vector<std::vector<std::int64_t>> blocks) {
  PaidCounts counts;
  counts.blocks_ = std::move(blocks);
  return counts;
}

}  // namespace flaim::secagg
