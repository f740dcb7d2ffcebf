#define OMPI_SKIP_MPICXX 1
#include "experiments/process_crew.h"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

constexpr int kLeader = 0;
constexpr int kJobTag = 1;      // to a worker: the index of a job, or kNoMoreJobs
constexpr int kOutcomeTag = 2;  // to the leader: the index of a job, or kNoJobYet, and what came out
constexpr std::uint64_t kNoMoreJobs = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kNoJobYet = kNoMoreJobs;
constexpr std::chrono::milliseconds kPause(2);  // jobs take much longer

struct Outcome {
  std::uint64_t job = kNoJobYet;
  std::string text;
};

void SendOutcome(const Outcome& outcome) {
  std::string message(sizeof outcome.job, '\0');
  std::memcpy(message.data(), &outcome.job, sizeof outcome.job);
  message += outcome.text;
  CHECK(message.size() <= std::numeric_limits<int>::max(), "an outcome of {} bytes", message.size());
  MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, kLeader, kOutcomeTag, MPI_COMM_WORLD);
}

// What a worker has sent, and who, if anybody has.
std::optional<std::pair<int, Outcome>> ReceiveOutcome() {
  int arrived = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, kOutcomeTag, MPI_COMM_WORLD, &arrived, &status);
  if (arrived == 0) return std::nullopt;
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  std::string message(static_cast<std::size_t>(bytes), '\0');
  MPI_Recv(message.data(), bytes, MPI_BYTE, status.MPI_SOURCE, kOutcomeTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Outcome outcome;
  CHECK(message.size() >= sizeof outcome.job, "an outcome without its job");
  std::memcpy(&outcome.job, message.data(), sizeof outcome.job);
  outcome.text = message.substr(sizeof outcome.job);
  return std::pair(status.MPI_SOURCE, std::move(outcome));
}

void SendJob(int worker, std::uint64_t job) { MPI_Send(&job, 1, MPI_UINT64_T, worker, kJobTag, MPI_COMM_WORLD); }

std::uint64_t ReceiveJob() {
  std::uint64_t job = 0;
  MPI_Recv(&job, 1, MPI_UINT64_T, kLeader, kJobTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return job;
}

// The list of jobs, for the messages of others and for a thread of the leader's own.
class JobList {
 public:
  JobList(const std::vector<std::size_t>& jobs, const Crew::Collect& collect) : jobs_(jobs), collect_(collect) {}

  std::uint64_t Next() {
    const std::lock_guard lock(mutex_);
    return next_ < jobs_.size() && status_.ok() ? jobs_[next_++] : kNoMoreJobs;
  }

  void Done(const Outcome& outcome) {
    if (outcome.job == kNoJobYet) return;
    const std::lock_guard lock(mutex_);
    if (status_.ok()) status_ = collect_(outcome.job, outcome.text);
  }

  absl::Status status() {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  std::mutex mutex_;
  const std::vector<std::size_t>& jobs_;
  const Crew::Collect& collect_;
  std::size_t next_ = 0;
  absl::Status status_;
};

class Processes final : public Crew {
 public:
  Processes() {
    int granted = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &processes_);
  }
  ~Processes() override { MPI_Finalize(); }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  bool IsLeader() const override { return rank_ == kLeader; }
  int workers() const override { return processes_; }

  absl::Status Do(const std::vector<std::size_t>& jobs, const Work& work, const Collect& collect) override {
    const absl::Status status = IsLeader() ? Lead(jobs, work, collect) : Serve(work);
    // Nobody asks for jobs of the next list while the leader is still busy with this one.
    MPI_Barrier(MPI_COMM_WORLD);
    return status;
  }

 private:
  static absl::Status Serve(const Work& work) {
    SendOutcome({});
    for (std::uint64_t job = ReceiveJob(); job != kNoMoreJobs; job = ReceiveJob()) {
      SendOutcome({job, work(static_cast<std::size_t>(job))});
    }
    return absl::OkStatus();
  }

  // Only this thread speaks to MPI; another does the leader's share of the jobs.
  absl::Status Lead(const std::vector<std::size_t>& jobs, const Work& work, const Collect& collect) {
    JobList list(jobs, collect);
    std::thread own_share([&] {
      for (std::uint64_t job = list.Next(); job != kNoMoreJobs; job = list.Next()) {
        list.Done({job, work(static_cast<std::size_t>(job))});
      }
    });
    int at_work = processes_ - 1;
    while (at_work > 0) {
      const auto received = ReceiveOutcome();
      if (!received) {
        std::this_thread::sleep_for(kPause);
        continue;
      }
      const auto& [worker, outcome] = *received;
      list.Done(outcome);
      const std::uint64_t job = list.Next();
      if (job == kNoMoreJobs) --at_work;
      SendJob(worker, job);
    }
    own_share.join();
    return list.status();
  }

  int rank_ = 0;
  int processes_ = 1;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Crew>> ProcessCrew() {
  int is_initialised = 0;
  MPI_Initialized(&is_initialised);
  if (is_initialised != 0) return FailedPrecondition("MPI is in use already");
  return std::make_unique<Processes>();
}

}  // namespace flaim
