#pragma once

#include <algorithm>
#include <chrono>

namespace flaim::runtime {

// One timeout, from which the times of gRPC and of this code follow: a peer that is silent for half of it is asked for
// a sign of life, and has the other half to give one.
struct KeepAlive {
  static constexpr std::chrono::milliseconds kShortestPing{200};

  explicit KeepAlive(std::chrono::milliseconds timeout)
      : ping_every(std::max(timeout / 2, kShortestPing)),
        answer_within(std::max(timeout / 2, kShortestPing)),
        look_every(std::clamp(timeout / 8, std::chrono::milliseconds{10}, std::chrono::milliseconds{1000})) {}

  std::chrono::milliseconds ping_every;
  std::chrono::milliseconds answer_within;
  std::chrono::milliseconds look_every;  // how often stalls are looked for
};

inline int Milliseconds(std::chrono::milliseconds time) {
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(time.count(), 1, 1'000'000'000));
}

}  // namespace flaim::runtime
