#include "runtime/transport/link/retry_schedule.h"

#include <algorithm>

namespace flaim::runtime {

std::chrono::milliseconds RetrySchedule::Next() {
  const std::chrono::milliseconds bound = std::min(next_, longest_);
  next_ = std::min(2 * bound, longest_);
  const std::chrono::milliseconds least = bound / 2;
  const auto spread = static_cast<std::uint64_t>((bound - least).count());
  return least + std::chrono::milliseconds(static_cast<std::int64_t>(random_.NextBelow(spread + 1)));
}

}  // namespace flaim::runtime
