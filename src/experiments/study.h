#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "datasets/prepared_dataset.h"
#include "experiments/run_settings.h"
#include "marginal/workload.h"
#include "partition/partition.h"

namespace flaim {

// What a run works on: rows, who holds them, and what is asked of them. Shared by all runs that differ in method,
// budget or seed only.
struct Study {
  std::shared_ptr<const PreparedDataset> data;
  Partition partition;  // one client if nobody deals the rows
  Workload workload;
  // How unlike everybody the clients are, over the downward closure of the workload; nothing if nobody deals the rows.
  std::optional<double> heterogeneity;
  // Of a classifier trained on the true rows; if the run asks for one.
  std::optional<double> true_auc;
};

// Prepares studies, each once, and keeps them. Safe to use from many threads, one of which prepares at a time, with all
// cores. Partitions by clusters are kept in the cache folder too, if there is one.
class Studies {
 public:
  // REQUIRES: `progress` outlives this.
  Studies(std::string data_folder, std::string cache_folder, int threads, ProgressSink& progress);

  // REQUIRES: complete settings.
  absl::StatusOr<std::shared_ptr<const Study>> Get(const RunSettings& settings);

 private:
  absl::StatusOr<std::shared_ptr<const PreparedDataset>> Prepare(const RunSettings& settings);
  absl::StatusOr<Partition> Deal(const RunSettings& settings, const PreparedDataset& data);
  absl::StatusOr<std::shared_ptr<const Study>> Make(const RunSettings& settings);

  const std::string data_folder_;
  const std::string cache_folder_;
  ProgressSink& progress_;
  std::mutex mutex_;
  Parallel parallel_;
  std::map<std::string, std::shared_ptr<const PreparedDataset>> datasets_;
  std::map<std::string, std::shared_ptr<const Study>> studies_;
};

}  // namespace flaim
