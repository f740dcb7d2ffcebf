#include <atomic>
#include <mutex>
#include <thread>

#include "base/check.h"
#include "experiments/crew.h"

namespace flaim {
namespace {

class Threads final : public Crew {
 public:
  explicit Threads(int threads) : threads_(threads) { CHECK(threads >= 1, "{} threads", threads); }

  bool IsLeader() const override { return true; }
  int workers() const override { return threads_; }

  absl::Status Do(const std::vector<std::size_t>& jobs, const Work& work, const Collect& collect) override {
    std::atomic<std::size_t> next = 0;
    std::mutex collecting;
    absl::Status status;
    std::atomic<bool> stopped = false;
    const auto work_on = [&] {
      for (std::size_t place = next++; place < jobs.size() && !stopped; place = next++) {
        const std::string outcome = work(jobs[place]);
        const std::lock_guard lock(collecting);
        if (stopped) return;
        status = collect(jobs[place], outcome);
        if (!status.ok()) stopped = true;
      }
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads_; ++thread) others.emplace_back(work_on);
    work_on();
    for (std::thread& other : others) other.join();
    return status;
  }

 private:
  const int threads_;
};

}  // namespace

std::unique_ptr<Crew> ThreadCrew(int threads) { return std::make_unique<Threads>(threads); }

}  // namespace flaim
