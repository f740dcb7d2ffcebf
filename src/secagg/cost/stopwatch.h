#pragma once

#include <ctime>

#include "base/check.h"

namespace flaim::secagg {

// Adds to `seconds` what a clock of the system advances while this exists. CLOCK_THREAD_CPUTIME_ID is what this thread
// computes, CLOCK_PROCESS_CPUTIME_ID what all threads do; neither counts waiting, nor other programs.
class Stopwatch {
 public:
  Stopwatch(clockid_t clock, double& seconds) : clock_(clock), seconds_(seconds), start_(SecondsOf(clock)) {}
  ~Stopwatch() { seconds_ += SecondsOf(clock_) - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  static double SecondsOf(clockid_t clock) {
    timespec now{};
    CHECK(clock_gettime(clock, &now) == 0);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  clockid_t clock_;
  double& seconds_;
  double start_;
};

}  // namespace flaim::secagg
