#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "data/schema/schema.h"
#include "data/table/table.h"
#include "federation/availability.h"
#include "partition/partition.h"
#include "partition/partition_spec.h"

namespace flaim {

// A table whose rows were dealt to the clients of a simulated federation.
struct DealtTable {
  Table table;
  Partition partition;

  std::size_t EmptyClients() const;
};

// Reads DATA and deals its rows as the partition says; the seed decides about random dealing and clusters. Refuses,
// beside what a reader of tables and DealRows() refuse, a table without rows.
absl::StatusOr<DealtTable> ReadDealtTable(const std::string& path, const Schema& schema, const PartitionSpec& partition,
                                          std::uint64_t seed, ProgressSink& progress, Parallel& parallel);

// The same for rows that are in memory already. `client_numbers` are for a partition by column: the client of each row,
// as that column has it. `source` names the rows in errors.
absl::StatusOr<DealtTable> DealTable(const Table& table, std::span<const std::int64_t> client_numbers,
                                     const std::string& source, const PartitionSpec& partition, std::uint64_t seed,
                                     ProgressSink& progress, Parallel& parallel);

// One client that has all the rows.
DealtTable GatheredInOnePlace(const DealtTable& dealt);

// Rows kept apart from DATA. They may have a column for the client, which is not looked at.
absl::StatusOr<Table> ReadHeldOutRows(const std::string& path, const Schema& schema, const PartitionSpec& partition,
                                      ProgressSink& progress);

// A trace as `source` has it, for the clients of the partition. If these come from a column, the trace calls them by
// the numbers of that column; otherwise they are numbered from 0.
absl::StatusOr<Trace> TraceOfClients(const Trace& trace, const Partition& partition, const std::string& source);

}  // namespace flaim
