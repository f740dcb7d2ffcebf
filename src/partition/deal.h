#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "data/table/table.h"
#include "partition/partition.h"
#include "partition/partition_spec.h"

namespace flaim {

// Deals the rows of a table as the spec says, by a seed: the same for a seed, whatever the threads. `progress` may be
// null. Refuses a spec that takes the clients from a column of the file, which a table no longer has; label skew by a
// column that is not in the table; and what PartitionByClusters() refuses.
absl::StatusOr<Partition> DealRows(const Table& table, const PartitionSpec& spec, std::uint64_t seed,
                                   Parallel& parallel, ProgressSink* progress);

}  // namespace flaim
