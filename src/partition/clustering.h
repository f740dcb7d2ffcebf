#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "data/table/table.h"
#include "partition/partition.h"

namespace flaim {

// Each centre is compared with each row in each iteration: more would take hours.
inline constexpr std::size_t kMaxClusters = 10'000;

// Changes whenever the same table and seed would be dealt differently than before: what a cache is named by.
inline constexpr int kClusteringVersion = 1;

// The paper's clustering approach: rows are laid out in the plane by UMAP, k-means finds as many clusters as there are
// clients, and a client has the rows of one cluster. So clients hold rows that are alike, and no client is empty. The
// same for a seed, whatever the threads. `progress` may be null.
//
// Refuses no clients, fewer rows than clients, and more than kMaxClusters clients.
absl::StatusOr<Partition> PartitionByClusters(const Table& table, std::size_t clients, std::uint64_t seed,
                                              Parallel& parallel, ProgressSink* progress);

}  // namespace flaim
