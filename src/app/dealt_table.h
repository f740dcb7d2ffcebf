#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "data/schema/schema.h"
#include "data/schema/unfit_rule.h"
#include "data/table/table.h"
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
                                          UnfitRule unfit, std::uint64_t seed, ProgressSink& progress,
                                          Parallel& parallel);

// The same for rows that are in memory already. `client_numbers` are for a partition by column: the client of each row,
// as that column has it. `source` names the rows in errors.
absl::StatusOr<DealtTable> DealTable(const Table& table, std::span<const std::int64_t> client_numbers,
                                     const std::string& source, const PartitionSpec& partition, std::uint64_t seed,
                                     ProgressSink& progress, Parallel& parallel);

// One client that has all the rows.
DealtTable GatheredInOnePlace(const DealtTable& dealt);

// Rows kept apart from DATA. They may have a column for the client, which is not looked at.
absl::StatusOr<Table> ReadHeldOutRows(const std::string& path, const Schema& schema, const PartitionSpec& partition,
                                      UnfitRule unfit, ProgressSink& progress);

}  // namespace flaim
