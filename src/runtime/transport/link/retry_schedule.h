#pragma once

#include <chrono>

#include "base/random_source.h"

namespace flaim::runtime {

// How long to wait before the next attempt: up to `first`, then up to twice as long each time, up to `longest`; at
// least half of that, the rest at random, so that ten thousand sites do not all come back in the same moment.
class RetrySchedule {
 public:
  RetrySchedule(std::chrono::milliseconds first, std::chrono::milliseconds longest, RandomSource& random)
      : first_(first), longest_(longest), next_(first), random_(random) {}

  std::chrono::milliseconds Next();
  // After a connection that lasted.
  void Reset() { next_ = first_; }

 private:
  std::chrono::milliseconds first_;
  std::chrono::milliseconds longest_;
  std::chrono::milliseconds next_;
  RandomSource& random_;
};

}  // namespace flaim::runtime
