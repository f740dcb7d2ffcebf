#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>

#include "base/progress.h"

namespace flaim::python {

// Lets Ctrl-C, and whatever an observer written in Python raises, end a job that runs without the interpreter's lock:
// the job is asked to stop where that loses nothing, and the Python error goes on once it has.
class Interruption {
 public:
  // May be called without the lock. True if a signal handler raised, now or earlier.
  bool Requested() {
    if (error_) return true;
    const nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return false;
    error_.emplace();
    return true;
  }

  // For a team of threads: is_stopping of Parallel.
  std::function<bool()> Question() {
    return [this] { return Requested(); };
  }

  // Calls back into Python; what it raises is kept.
  template <typename Call>
  void CallBack(const Call& call) {
    if (error_) return;
    const nanobind::gil_scoped_acquire lock;
    try {
      call();
    } catch (nanobind::python_error& error) {
      error_.emplace(std::move(error));
    }
  }

  // With the lock: goes on with the error, if there was one.
  void RaiseIfRequested() {
    if (error_) throw std::move(*error_);
  }

 private:
  std::optional<nanobind::python_error> error_;
};

// For jobs that report to nobody.
class InterruptibleProgress final : public ProgressSink {
 public:
  explicit InterruptibleProgress(Interruption& interruption) : interruption_(interruption) {}

  void Report(const Progress&) override {}
  bool ShouldStop() override { return interruption_.Requested(); }

 private:
  Interruption& interruption_;
};

}  // namespace flaim::python
