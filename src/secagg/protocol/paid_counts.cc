#include "secagg/protocol/paid_counts.h"

#include <utility>

#include "sodium.h"

namespace flaim::secagg {

PaidCounts::PaidCounts(SumPermit permit) : permit_(std::move(permit)) { (void)permit_->mechanism(); }

PaidCounts::~PaidCounts() {
  for (std::vector<std::int64_t>& counts : blocks_) sodium_memzero(counts.data(), counts.size() * sizeof(std::int64_t));
}

}  // namespace flaim::secagg
