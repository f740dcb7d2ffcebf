#pragma once

#include <chrono>

namespace flaim {

// The time, passed in so that tests can set it.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::system_clock::time_point Now() const = 0;
};

class SystemClock final : public Clock {
 public:
  std::chrono::system_clock::time_point Now() const override { return std::chrono::system_clock::now(); }
};

// Stands still until it is told to move.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::chrono::system_clock::time_point now) : now_(now) {}
  std::chrono::system_clock::time_point Now() const override { return now_; }
  void Advance(std::chrono::system_clock::duration by) { now_ += by; }

 private:
  std::chrono::system_clock::time_point now_;
};

}  // namespace flaim
