#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/progress.h"
#include "data/schema/schema.h"
#include "data/table/table.h"
#include "datasets/catalogue.h"
#include "marginal/workload.h"
#include "partition/partition.h"

namespace flaim {

// A dataset as the experiments use it: the rows that the paper takes, coded, and split 90 to 10.
struct PreparedDataset {
  DatasetEntry entry;
  Schema schema;
  Table train;
  Table test;
  std::optional<AttributeIndex> label;
  // Of the rows of `train`, where the dataset comes with its clients (SynthFS and the reference inputs).
  std::optional<Partition> clients;
  // Where the dataset comes with one (the reference inputs).
  std::optional<Workload> workload;
  // Of everything above: what a cache of something computed from it is named by.
  std::string fingerprint;
};

struct PrepareOptions {
  std::uint64_t seed = 0;  // of the subsample, of the split, and of SynthFS
  // SynthFS: the skew of the means, and how many clients to draw. The other datasets do not look at them.
  double beta = 2;
  std::size_t clients = 100;
};

// Reads from the data folder, or generates. NotFound, saying where the original comes from, if the file is not there;
// DataLoss if it is not the file that the catalogue knows.
absl::StatusOr<PreparedDataset> PrepareDataset(const DatasetEntry& entry, const std::string& data_folder,
                                               const PrepareOptions& options, ProgressSink& progress);

}  // namespace flaim
