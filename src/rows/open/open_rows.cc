#include "rows/open/open_rows.h"

#include <utility>

#include "base/status.h"
#include "data/rows/table_reader.h"
#include "rows/open/connection_string.h"
#include "rows/open/libpq_table.h"
#include "rows/postgres/counts.h"

namespace flaim {
namespace {

absl::StatusOr<std::unique_ptr<PrivateRows>> Open(const CsvRows& rows, const Schema& schema, ProgressSink& progress) {
  ASSIGN_OR_RETURN(const Table table,
                   ReadTable(rows.path, schema, {.ignore_extra_columns = false, .progress = &progress}));
  return std::make_unique<TableRows>(table);
}

absl::StatusOr<std::unique_ptr<PrivateRows>> Open(const PostgresRows& rows, const Schema& schema,
                                                  ProgressSink& progress) {
  ASSIGN_OR_RETURN(PostgresTable opened, OpenPostgresTable(rows.connection, rows.table, schema));
  if (rows.counts_in_database) return PostgresCounts::Open(std::move(opened), schema, progress);
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, opened.Rows());
  ASSIGN_OR_RETURN(const Table table,
                   ReadTable(std::move(source), schema, {.ignore_extra_columns = false, .progress = &progress}));
  return std::make_unique<TableRows>(table);
}

std::string DescribeOne(const CsvRows& rows) { return rows.path; }

std::string DescribeOne(const PostgresRows& rows) {
  const absl::StatusOr<PostgresAddress> address = ParseConnectionString(rows.connection);
  return fmt::format("{} table={}", address.ok() ? ToText(*address) : "postgresql://?", rows.table);
}

}  // namespace

std::string Describe(const RowsLocation& location) {
  return std::visit([](const auto& rows) { return DescribeOne(rows); }, location);
}

absl::StatusOr<std::unique_ptr<PrivateRows>> OpenRows(const RowsLocation& location, const Schema& schema,
                                                      ProgressSink& progress) {
  return std::visit([&](const auto& rows) { return Open(rows, schema, progress); }, location);
}

bool IsForOwnerOnly(const absl::Status& status) { return status.code() == absl::StatusCode::kInvalidArgument; }

}  // namespace flaim
