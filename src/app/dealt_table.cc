#include "app/dealt_table.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"
#include "data/rows/table_reader.h"
#include "io/message_text.h"
#include "partition/deal.h"

namespace flaim {
namespace {

// The reader knows of a column that is read alongside, but not what for.
absl::Status ForPartition(const absl::Status& status, const std::string& column) {
  const std::string message(status.message());
  if (message.find(QuoteForMessage(column)) == std::string::npos) return status;
  return absl::Status(status.code(),
                      fmt::format("{} (partition column:{} takes the client of each row, a whole number, from that "
                                  "column of the data; the schema must not keep it)",
                                  message, column));
}

}  // namespace

std::size_t DealtTable::EmptyClients() const {
  std::vector<bool> has_rows(partition.clients);
  for (const std::uint32_t client : partition.client_of_row) has_rows[client] = true;
  return static_cast<std::size_t>(std::count(has_rows.begin(), has_rows.end(), false));
}

absl::StatusOr<DealtTable> DealTable(const Table& table, std::span<const std::int64_t> client_numbers,
                                     const std::string& source, const PartitionSpec& partition, std::uint64_t seed,
                                     ProgressSink& progress, Parallel& parallel) {
  if (table.rows() == 0) return InvalidArgument("{} has no rows to deal to clients", source);
  if (std::holds_alternative<ClientColumnSpec>(partition)) {
    if (client_numbers.size() != table.rows()) {
      return InvalidArgument("{} has {} rows, and {} were given a client", source, table.rows(), client_numbers.size());
    }
    ASSIGN_OR_RETURN(Partition by_column, PartitionByNumbers(client_numbers));
    return DealtTable{table, std::move(by_column)};
  }
  ASSIGN_OR_RETURN(Partition dealt, DealRows(table, partition, seed, parallel, &progress));
  return DealtTable{table, std::move(dealt)};
}

absl::StatusOr<DealtTable> ReadDealtTable(const std::string& path, const Schema& schema, const PartitionSpec& partition,
                                          UnfitRule unfit, std::uint64_t seed, ProgressSink& progress,
                                          Parallel& parallel) {
  const TableReadOptions options{.progress = &progress, .unfit = unfit};
  if (const auto* column = std::get_if<ClientColumnSpec>(&partition)) {
    const absl::StatusOr<TableWithNumbers> read = ReadTableWithNumbers(path, schema, column->name, options);
    if (!read.ok()) return ForPartition(read.status(), column->name);
    return DealTable(read->table, read->numbers, path, partition, seed, progress, parallel);
  }
  ASSIGN_OR_RETURN(const Table table, ReadTable(path, schema, options));
  return DealTable(table, {}, path, partition, seed, progress, parallel);
}

DealtTable GatheredInOnePlace(const DealtTable& dealt) { return {dealt.table, InOnePlace(dealt.table.rows())}; }

absl::StatusOr<Table> ReadHeldOutRows(const std::string& path, const Schema& schema, const PartitionSpec& partition,
                                      UnfitRule unfit, ProgressSink& progress) {
  const TableReadOptions options{.progress = &progress, .unfit = unfit};
  const auto* column = std::get_if<ClientColumnSpec>(&partition);
  if (column == nullptr || schema.domain().Find(column->name)) return ReadTable(path, schema, options);
  SchemaSpec spec = schema.spec();
  if (std::find(spec.drop.begin(), spec.drop.end(), column->name) == spec.drop.end()) {
    spec.drop.push_back(column->name);
  }
  ASSIGN_OR_RETURN(const Schema without_client, Schema::Create(std::move(spec)));
  return ReadTable(path, without_client, options);
}

}  // namespace flaim
