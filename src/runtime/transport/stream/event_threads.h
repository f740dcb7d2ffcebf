#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace flaim::runtime {

// A few threads that run what they are given, so that gRPC's own, which move the bytes of everybody, never wait for the
// coordinator's work. Thread-safe.
class EventThreads {
 public:
  explicit EventThreads(int threads);
  EventThreads(const EventThreads&) = delete;
  EventThreads& operator=(const EventThreads&) = delete;
  // Runs what was given before, and ends.
  ~EventThreads();

  void Post(std::function<void()> task);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

// Tasks that run in the order in which they were given, never two at once. Must outlive what it was given.
class Strand {
 public:
  explicit Strand(EventThreads& threads) : threads_(threads) {}

  void Post(std::function<void()> task);

 private:
  void RunFirst();

  EventThreads& threads_;
  std::mutex mutex_;
  std::deque<std::function<void()>> tasks_;  // the first is running, or waits for a thread
};

}  // namespace flaim::runtime
