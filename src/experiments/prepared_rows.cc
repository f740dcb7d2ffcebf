#include "experiments/prepared_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/status.h"
#include "classifier/classifier_auc.h"
#include "fmt/format.h"
#include "marginal/workload_spec.h"
#include "partition/deal.h"
#include "partition/partition_cache.h"

namespace flaim {
namespace {

// Of the settings that decide about rows: all runs with the same ones share them.
std::string KeyOf(const RunSettings& settings, const DatasetEntry& entry) {
  RunSettings kept;
  kept.dataset = settings.dataset;
  kept.data_seed = settings.data_seed;
  if (entry.IsGenerated()) {
    kept.clients = settings.clients;
    kept.beta = settings.beta;
  }
  return ToJson(kept).dump();
}

// The same with who holds them, and what is asked.
std::string KeyOf(const RunSettings& settings) {
  RunSettings kept = OnlyData(settings);
  kept.classifier = settings.classifier;
  kept.swap_rows = settings.swap_rows;
  return fmt::format("{} {}", settings.HasMethod() ? "measured" : "described", ToJson(kept).dump());
}

// REQUIRES: a partition that the dataset does not bring with it.
PartitionSpec SpecOf(const RunSettings& settings, const PreparedDataset& data) {
  const auto clients = static_cast<std::size_t>(settings.clients.value());
  switch (settings.partition.value()) {
    case Dealing::kIid:
      return IidSpec{clients};
    case Dealing::kLabelSkew:
      return LabelSkewSpec{clients, settings.beta.value(), data.entry.label};
    case Dealing::kClusters:
      return ClustersSpec{clients};
    case Dealing::kOwn:
      break;
  }
  CHECK(false, "{} brings its clients with it", settings.dataset);
}

absl::StatusOr<Workload> WorkloadOf(const RunSettings& settings, const PreparedDataset& data) {
  if (settings.workload == kOwnWorkload) return data.workload.value();
  ASSIGN_OR_RETURN(const WorkloadSpec spec, ParseWorkloadSpec(settings.workload));
  return MakeWorkload(data.train.domain(), spec);
}

}  // namespace

Preparation::Preparation(std::string data_folder, std::string cache_folder, int threads, ProgressSink& progress)
    : data_folder_(std::move(data_folder)),
      cache_folder_(std::move(cache_folder)),
      progress_(progress),
      parallel_(threads) {}

absl::StatusOr<std::shared_ptr<const PreparedRows>> Preparation::Get(const RunSettings& settings) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const PreparedRows>& prepared = prepared_[KeyOf(settings)];
  if (prepared == nullptr) {
    ASSIGN_OR_RETURN(prepared, Make(settings));
  }
  return prepared;
}

absl::StatusOr<std::shared_ptr<const PreparedDataset>> Preparation::Prepare(const RunSettings& settings) {
  ASSIGN_OR_RETURN(const DatasetEntry entry, FindDataset(settings.dataset));
  std::shared_ptr<const PreparedDataset>& data = datasets_[KeyOf(settings, entry)];
  if (data != nullptr) return data;
  PrepareOptions options;
  options.seed = static_cast<std::uint64_t>(settings.data_seed.value());
  if (settings.beta) options.beta = *settings.beta;
  if (settings.clients) options.clients = static_cast<std::size_t>(*settings.clients);
  ASSIGN_OR_RETURN(PreparedDataset prepared, PrepareDataset(entry, data_folder_, options, progress_));
  data = std::make_shared<const PreparedDataset>(std::move(prepared));
  return data;
}

absl::StatusOr<Partition> Preparation::Deal(const RunSettings& settings, const PreparedDataset& data) {
  const std::size_t rows = data.train.rows();
  if (!settings.partition) return InOnePlace(rows);
  if (settings.partition == Dealing::kOwn) return data.clients.value();
  const PartitionSpec spec = SpecOf(settings, data);
  const auto seed = static_cast<std::uint64_t>(settings.data_seed.value());
  const auto deal = [&] { return DealRows(data.train, spec, seed, parallel_, &progress_); };
  if (cache_folder_.empty() || settings.partition != Dealing::kClusters) return deal();
  return PartitionCache(cache_folder_).LoadOrMake(PartitionKey(data.fingerprint, spec, seed), rows, deal);
}

absl::StatusOr<std::shared_ptr<const WorkloadTruth>> Preparation::TruthOf(const RunSettings& settings,
                                                                          const PreparedDataset& data,
                                                                          const Workload& workload) {
  std::shared_ptr<const WorkloadTruth>& truth =
      truths_[fmt::format("{} {}", settings.workload, KeyOf(settings, data.entry))];
  if (truth != nullptr) return truth;
  const std::int64_t max_kept = std::min(WorkloadTruth::kDefaultKeptCells, kKeptCells - kept_cells_);
  ASSIGN_OR_RETURN(WorkloadTruth made, WorkloadTruth::Create(data.train, workload, parallel_, max_kept));
  kept_cells_ += made.kept_cells();
  truth = std::make_shared<const WorkloadTruth>(std::move(made));
  return truth;
}

absl::StatusOr<std::shared_ptr<const PreparedRows>> Preparation::Make(const RunSettings& settings) {
  ASSIGN_OR_RETURN(std::shared_ptr<const PreparedDataset> data, Prepare(settings));
  ASSIGN_OR_RETURN(Partition partition, Deal(settings, *data));
  ASSIGN_OR_RETURN(Workload workload, WorkloadOf(settings, *data));
  YardstickRequest wanted{.heterogeneity = settings.partition.has_value(),
                          .swap_rows = settings.swap_rows,
                          .held_out = settings.HasMethod() ? &data->test : nullptr};
  if (settings.HasMethod()) {
    ASSIGN_OR_RETURN(wanted.truth, TruthOf(settings, *data, workload));
  }
  if (settings.classifier) wanted.auc = ClassifierAucOn(data->test, data->label.value());
  ASSIGN_OR_RETURN(Yardstick yardstick,
                   Yardstick::Create(std::move(wanted), data->train, partition, workload, parallel_));
  return std::make_shared<const PreparedRows>(PreparedRows{.data = std::move(data),
                                                           .partition = std::move(partition),
                                                           .workload = std::move(workload),
                                                           .yardstick = std::move(yardstick)});
}

}  // namespace flaim
