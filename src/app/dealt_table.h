#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "app/simulation_settings.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "data/table/table.h"
#include "partition/partition.h"

namespace flaim {

// A table whose rows were dealt to the clients of a simulated federation.
struct DealtTable {
  Table table;
  Partition partition;

  std::size_t EmptyClients() const;
};

// Reads DATA and deals its rows as the partition says; the seed decides about random dealing and clusters. For a method
// of one table, one client has all the rows. Refuses, beside what a reader of tables and DealRows() refuse, a table
// without rows.
absl::StatusOr<DealtTable> ReadDealtTable(const std::string& path, const SimulationSettings& settings,
                                          ProgressSink& progress, Parallel& parallel);

// The same for rows that are in memory already. `client_numbers` are for a partition by column: the client of each row,
// as that column has it. `source` names the rows in errors.
absl::StatusOr<DealtTable> DealTable(const Table& table, std::span<const std::int64_t> client_numbers,
                                     const std::string& source, const SimulationSettings& settings,
                                     ProgressSink& progress, Parallel& parallel);

// Rows kept apart from DATA. They may have a column for the client, which is not looked at.
absl::StatusOr<Table> ReadHeldOutRows(const std::string& path, const SimulationSettings& settings,
                                      ProgressSink& progress);

}  // namespace flaim
