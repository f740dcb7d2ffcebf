#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace flaim {

// A fixed team of threads that runs index ranges. The caller is one of the team, so Parallel(1) starts no thread.
// One loop at a time: For may not be called from inside a loop body, nor by two threads at once.
//
// The team also knows whether its work is still wanted, because it is passed to whatever takes long: a long job asks
// StopIfAsked() or uses ForUnlessStopped(), and hands Cancelled on. Once asked to stop, a team is so for ever.
class Parallel {
 public:
  // `is_stopping` says whether the work is to end, e.g. because of Ctrl-C; called by the caller's thread alone, about
  // twenty times a second. REQUIRES: threads >= 1.
  explicit Parallel(int threads, std::function<bool()> is_stopping = nullptr);
  ~Parallel();
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(index, thread) once for each index in [0, count), thread in [0, threads()), and returns when all are
  // done. Which thread runs which index is not determined: results must not depend on it. Allocates nothing.
  void For(std::size_t count, absl::FunctionRef<void(std::size_t index, int thread)> body);

  // The same, but Cancelled, and some indices left out, if the work is to stop: what the bodies wrote is of no use
  // then.
  absl::Status ForUnlessStopped(std::size_t count, absl::FunctionRef<void(std::size_t index, int thread)> body);

  // Cancelled if the work is to stop. Cheap enough for the body of a loop. Not from inside a body of For.
  absl::Status StopIfAsked();

  // As many threads as the machine has cores, at least 1.
  static int HardwareThreads();

 private:
  void Work(int thread);
  void RunIndices(int thread);
  bool IsStopped();

  const std::function<bool()> is_stopping_;
  std::chrono::steady_clock::time_point asked_last_;
  std::atomic<bool> is_stopped_ = false;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable finished_;
  std::size_t generation_ = 0;
  int busy_ = 0;
  bool stopping_ = false;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  const absl::FunctionRef<void(std::size_t, int)>* body_ = nullptr;
};

}  // namespace flaim
