#pragma once

#include <cstddef>
#include <mutex>

#include "runtime/transport/switchboard/switchboard.h"

namespace flaim::runtime {

// Counts what goes over all connections of one site, one after the other. Thread-safe.
class TrafficCounter {
 public:
  void CountSent(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    ++traffic_.sent_messages;
    traffic_.sent_bytes += bytes;
  }
  void CountReceived(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    ++traffic_.received_messages;
    traffic_.received_bytes += bytes;
  }
  LinkTraffic traffic() const {
    const std::lock_guard lock(mutex_);
    return traffic_;
  }

 private:
  mutable std::mutex mutex_;
  LinkTraffic traffic_;
};

}  // namespace flaim::runtime
