#include "rows/open/open_rows.h"

#include <utility>

#include "base/status.h"
#include "data/rows/table_reader.h"
#include "rows/open/connection_string.h"
#include "rows/open/libpq_table.h"
#include "rows/postgres/copy_source.h"
#include "rows/postgres/counts.h"

namespace flaim {
namespace {

absl::StatusOr<OpenedRows> Read(std::unique_ptr<ByteSource> source, const Schema& schema, UnfitRule unfit,
                                std::size_t max_record_bytes, ProgressSink& progress) {
  std::uint64_t unfit_rows = 0;
  ASSIGN_OR_RETURN(
      const Table table,
      ReadTable(
          std::move(source), schema,
          {.max_record_bytes = max_record_bytes, .progress = &progress, .unfit = unfit, .unfit_rows = &unfit_rows}));
  return OpenedRows{std::make_unique<TableRows>(table), static_cast<std::int64_t>(unfit_rows)};
}

absl::StatusOr<OpenedRows> Open(const CsvRows& rows, const Schema& schema, UnfitRule unfit, ProgressSink& progress) {
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, OpenByteSource(rows.path));
  return Read(std::move(source), schema, unfit, TableReadOptions().max_record_bytes, progress);
}

absl::StatusOr<OpenedRows> Open(const PostgresRows& rows, const Schema& schema, UnfitRule unfit,
                                ProgressSink& progress) {
  const PostgresSnapshot::GoOn go_on = [&progress] { return StopIfAsked(progress); };
  ASSIGN_OR_RETURN(PostgresTable opened, OpenPostgresTable(rows.connection, rows.table, schema, go_on));
  if (rows.counts_in_database) {
    ASSIGN_OR_RETURN(std::unique_ptr<PostgresCounts> counts,
                     PostgresCounts::Open(std::move(opened), schema, unfit, progress));
    const std::int64_t unfit_rows = counts->unfit_rows();
    return OpenedRows{std::move(counts), unfit_rows};
  }
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, opened.Rows(go_on));
  return Read(std::move(source), schema, unfit, kMaxCopiedRecordBytes, progress);
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

absl::StatusOr<OpenedRows> OpenRows(const RowsLocation& location, const Schema& schema, UnfitRule unfit,
                                    ProgressSink& progress) {
  return std::visit([&](const auto& rows) { return Open(rows, schema, unfit, progress); }, location);
}

bool IsForOwnerOnly(const absl::Status& status) { return status.code() == absl::StatusCode::kInvalidArgument; }

}  // namespace flaim
