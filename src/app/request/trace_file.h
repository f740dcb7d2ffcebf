#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "federation/availability.h"
#include "partition/partition.h"

namespace flaim {

// A recorded trace of who was there in which round, plain or compressed. Its clients are called as the file calls them.
absl::StatusOr<Trace> ReadTraceFile(const std::string& path);

// A trace as `source` has it, for the clients of the partition. If these come from a column, the trace calls them by
// the numbers of that column; otherwise they are numbered from 0.
absl::StatusOr<Trace> TraceOfClients(const Trace& trace, const Partition& partition, const std::string& source);

}  // namespace flaim
