#include "base/parallel.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/check.h"

namespace flaim {
namespace {

constexpr std::chrono::milliseconds kBetweenQuestions{50};

}  // namespace

Parallel::Parallel(int threads, std::function<bool()> is_stopping) : is_stopping_(std::move(is_stopping)) {
  CHECK(threads >= 1);
  for (int thread = 1; thread < threads; ++thread) {
    try {
      workers_.emplace_back([this, thread] { Work(thread); });
    } catch (const std::system_error&) {
      break;  // The machine has no more threads. Fewer do the same work.
    }
  }
}

Parallel::~Parallel() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

int Parallel::HardwareThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void Parallel::For(std::size_t count, absl::FunctionRef<void(std::size_t, int)> body) {
  if (workers_.empty() || count <= 1) {
    for (std::size_t index = 0; index < count; ++index) body(index, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    CHECK(body_ == nullptr, "Parallel::For was called inside a loop or by two threads");
    body_ = &body;
    next_ = 0;
    count_ = count;
    busy_ = static_cast<int>(workers_.size());
    ++generation_;
  }
  start_.notify_all();
  RunIndices(0);
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return busy_ == 0; });
  body_ = nullptr;
}

absl::Status Parallel::ForUnlessStopped(std::size_t count, absl::FunctionRef<void(std::size_t, int)> body) {
  For(count, [&](std::size_t index, int thread) {
    if (thread == 0 ? IsStopped() : is_stopped_.load()) return;
    body(index, thread);
  });
  return StopIfAsked();
}

absl::Status Parallel::StopIfAsked() { return IsStopped() ? absl::CancelledError("interrupted") : absl::OkStatus(); }

bool Parallel::IsStopped() {
  if (is_stopped_ || is_stopping_ == nullptr) return is_stopped_;
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_last_ < kBetweenQuestions) return false;
  asked_last_ = now;
  if (is_stopping_()) is_stopped_ = true;
  return is_stopped_;
}

void Parallel::Work(int thread) {
  std::size_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
      seen = generation_;
    }
    RunIndices(thread);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) finished_.notify_one();
  }
}

void Parallel::RunIndices(int thread) {
  while (true) {
    std::size_t index;
    {
      const std::lock_guard lock(mutex_);
      if (next_ == count_) return;
      index = next_++;
    }
    (*body_)(index, thread);
  }
}

}  // namespace flaim
