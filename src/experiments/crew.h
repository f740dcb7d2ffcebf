#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace flaim {

// Who does the jobs of a list: threads of this process, or processes on many machines.
class Crew {
 public:
  // Does job `index` and says what came out; called on many threads at once.
  using Work = std::function<std::string(std::size_t index)>;
  // Takes what came out, in whatever order the jobs end; called on one thread at a time.
  using Collect = std::function<absl::Status(std::size_t index, const std::string& outcome)>;

  virtual ~Crew() = default;

  // Whether this process hands out the jobs and collects. There is one such process.
  virtual bool IsLeader() const = 0;
  virtual int workers() const = 0;
  // On the leader: hands out the jobs in their order and returns when all were collected, or `collect` first failed.
  // On others: works until the leader has no more jobs. `jobs` of others is ignored.
  virtual absl::Status Do(const std::vector<std::size_t>& jobs, const Work& work, const Collect& collect) = 0;
};

// This many threads. REQUIRES: threads >= 1.
std::unique_ptr<Crew> ThreadCrew(int threads);

// Whether the process was started by mpirun together with others. Reads Open MPI's environment.
bool IsStartedByMpi();
// All processes that mpirun started, one job at a time each: start one for each core. Call once. MPI lasts as long as
// the crew. A program that was built without MPI says so.
absl::StatusOr<std::unique_ptr<Crew>> MpiCrew();

}  // namespace flaim
