#include "runtime/transport/stream/event_threads.h"

#include <utility>

namespace flaim::runtime {

EventThreads::EventThreads(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

EventThreads::~EventThreads() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void EventThreads::Post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_one();
}

void EventThreads::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_ending_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

void Strand::Post(std::function<void()> task) {
  bool was_idle;
  {
    const std::lock_guard lock(mutex_);
    was_idle = tasks_.empty();
    tasks_.push_back(std::move(task));
  }
  if (was_idle) threads_.Post([this] { RunFirst(); });
}

void Strand::RunFirst() {
  std::function<void()> task;
  {
    const std::lock_guard lock(mutex_);
    task = std::move(tasks_.front());
  }
  task();
  task = nullptr;
  bool has_more;
  {
    const std::lock_guard lock(mutex_);
    tasks_.pop_front();
    has_more = !tasks_.empty();
  }
  if (has_more) threads_.Post([this] { RunFirst(); });
}

}  // namespace flaim::runtime
