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

absl::StatusOr<Partition> Deal(const Table& table, std::span<const std::int64_t> client_numbers,
                               const std::string& source, const SimulationSettings& settings, ProgressSink& progress,
                               Parallel& parallel) {
  if (!std::holds_alternative<ClientColumnSpec>(settings.partition)) {
    return DealRows(table, settings.partition, settings.seed, parallel, &progress);
  }
  if (client_numbers.size() != table.rows()) {
    return InvalidArgument("{} has {} rows, and {} were given a client", source, table.rows(), client_numbers.size());
  }
  return PartitionByNumbers(client_numbers);
}

}  // namespace

std::size_t DealtTable::EmptyClients() const {
  std::vector<bool> has_rows(partition.clients);
  for (const std::uint32_t client : partition.client_of_row) has_rows[client] = true;
  return static_cast<std::size_t>(std::count(has_rows.begin(), has_rows.end(), false));
}

absl::StatusOr<DealtTable> DealTable(const Table& table, std::span<const std::int64_t> client_numbers,
                                     const std::string& source, const SimulationSettings& settings,
                                     ProgressSink& progress, Parallel& parallel) {
  if (table.rows() == 0) return InvalidArgument("{} has no rows to deal to clients", source);
  ASSIGN_OR_RETURN(Partition dealt, Deal(table, client_numbers, source, settings, progress, parallel));
  if (settings.fit.plan.method.IsOneTable()) dealt = InOnePlace(table.rows());
  return DealtTable{table, std::move(dealt)};
}

absl::StatusOr<DealtTable> ReadDealtTable(const std::string& path, const SimulationSettings& settings,
                                          ProgressSink& progress, Parallel& parallel) {
  const Schema& schema = settings.fit.schema;
  const TableReadOptions options{.progress = &progress, .unfit = settings.fit.unfit};
  if (const auto* column = std::get_if<ClientColumnSpec>(&settings.partition)) {
    const absl::StatusOr<TableWithNumbers> read = ReadTableWithNumbers(path, schema, column->name, options);
    if (!read.ok()) return ForPartition(read.status(), column->name);
    return DealTable(read->table, read->numbers, path, settings, progress, parallel);
  }
  ASSIGN_OR_RETURN(const Table table, ReadTable(path, schema, options));
  return DealTable(table, {}, path, settings, progress, parallel);
}

absl::StatusOr<Table> ReadHeldOutRows(const std::string& path, const SimulationSettings& settings,
                                      ProgressSink& progress) {
  const Schema& schema = settings.fit.schema;
  const TableReadOptions options{.progress = &progress, .unfit = settings.fit.unfit};
  const auto* column = std::get_if<ClientColumnSpec>(&settings.partition);
  if (column == nullptr || schema.domain().Find(column->name)) return ReadTable(path, schema, options);
  SchemaSpec spec = schema.spec();
  if (std::find(spec.drop.begin(), spec.drop.end(), column->name) == spec.drop.end()) {
    spec.drop.push_back(column->name);
  }
  ASSIGN_OR_RETURN(const Schema without_client, Schema::Create(std::move(spec)));
  return ReadTable(path, without_client, options);
}

}  // namespace flaim
