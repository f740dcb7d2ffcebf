#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"

namespace flaim {

// A fixed team of threads that runs index ranges. The caller is one of the team, so Parallel(1) starts no thread.
// One loop at a time: For may not be called from inside a loop body, nor by two threads at once.
class Parallel {
 public:
  // REQUIRES: threads >= 1.
  explicit Parallel(int threads);
  ~Parallel();
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(index, thread) once for each index in [0, count), thread in [0, threads()), and returns when all are
  // done. Which thread runs which index is not determined: results must not depend on it. Allocates nothing.
  void For(std::size_t count, absl::FunctionRef<void(std::size_t index, int thread)> body);

  // As many threads as the machine has cores, at least 1.
  static int HardwareThreads();

 private:
  void Work(int thread);
  void RunIndices(int thread);

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
