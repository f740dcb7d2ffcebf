#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "app/yardstick.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "datasets/prepared_dataset.h"
#include "experiments/run_settings.h"
#include "marginal/workload.h"
#include "partition/partition.h"

namespace flaim {

// What a run works on: rows, who holds them, what is asked of them, and what the answer is measured with. Shared by all
// runs that differ in method, budget or seed only.
struct PreparedRows {
  std::shared_ptr<const PreparedDataset> data;
  Partition partition;  // one client if nobody deals the rows
  Workload workload;
  // Heterogeneity if somebody deals the rows; the rest if a method runs on them.
  Yardstick yardstick;
};

// Prepares rows, each once, and keeps them. Safe to use from many threads, one of which prepares at a time, with all
// cores. Partitions by clusters are kept in the cache folder too, if there is one.
class Preparation {
 public:
  // Of true counts, for all rows and workloads together: 1 GiB. Those of further ones are counted anew for each run.
  static constexpr std::int64_t kKeptCells = std::int64_t{1} << 27;

  // REQUIRES: `progress` outlives this.
  Preparation(std::string data_folder, std::string cache_folder, int threads, ProgressSink& progress);

  // REQUIRES: complete settings.
  absl::StatusOr<std::shared_ptr<const PreparedRows>> Get(const RunSettings& settings);

 private:
  absl::StatusOr<std::shared_ptr<const PreparedDataset>> Prepare(const RunSettings& settings);
  absl::StatusOr<Partition> Deal(const RunSettings& settings, const PreparedDataset& data);
  // True counts do not depend on who holds the rows.
  absl::StatusOr<std::shared_ptr<const WorkloadTruth>> TruthOf(const RunSettings& settings, const PreparedDataset& data,
                                                               const Workload& workload);
  absl::StatusOr<std::shared_ptr<const PreparedRows>> Make(const RunSettings& settings);

  const std::string data_folder_;
  const std::string cache_folder_;
  ProgressSink& progress_;
  std::mutex mutex_;
  Parallel parallel_;
  std::map<std::string, std::shared_ptr<const PreparedDataset>> datasets_;
  std::map<std::string, std::shared_ptr<const WorkloadTruth>> truths_;
  std::map<std::string, std::shared_ptr<const PreparedRows>> prepared_;
  std::int64_t kept_cells_ = 0;
};

}  // namespace flaim
