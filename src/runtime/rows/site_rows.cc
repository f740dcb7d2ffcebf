#include "runtime/rows/site_rows.h"

#include <utility>

#include "base/status.h"
#include "data/rows/table_reader.h"
#include "runtime/rows/postgres_counts.h"
#include "runtime/rows/postgres_names.h"
#include "runtime/rows/postgres_table.h"

namespace flaim::runtime {
namespace {

class RowsInMemory final : public ClientRows {
 public:
  explicit RowsInMemory(const Table& table) : rows_(table, meter_) {}

  const Domain& domain() const override { return rows_.domain(); }
  absl::StatusOr<std::vector<std::int64_t>> Count(const Clique& clique) override { return rows_.Count(clique); }
  absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares) override {
    return rows_.Distance(clique, shares);
  }

 private:
  ShareDistanceMeter meter_;
  TableRows rows_;
};

absl::StatusOr<std::unique_ptr<ClientRows>> InMemory(const Table& table, const std::string& name) {
  if (table.rows() > static_cast<std::size_t>(kMaxMeasuredRows)) {
    return InvalidArgument("{}: has more than {} rows; give the site a part of them", name, kMaxMeasuredRows);
  }
  return std::make_unique<RowsInMemory>(table);
}

absl::StatusOr<std::unique_ptr<ClientRows>> Open(const CsvRows& rows, const Schema& schema, ProgressSink& progress) {
  ASSIGN_OR_RETURN(const Table table,
                   ReadTable(rows.path, schema, {.ignore_extra_columns = false, .progress = &progress}));
  return InMemory(table, rows.path);
}

absl::StatusOr<std::unique_ptr<ClientRows>> Open(const PostgresRows& rows, const Schema& schema,
                                                 ProgressSink& progress) {
  ASSIGN_OR_RETURN(PostgresTable opened, PostgresTable::Open(rows.connection, rows.table, schema));
  if (rows.counts_in_database) return PostgresCounts::Open(std::move(opened), schema, progress);
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, opened.Rows());
  ASSIGN_OR_RETURN(const Table table,
                   ReadTable(std::move(source), schema, {.ignore_extra_columns = false, .progress = &progress}));
  return InMemory(table, rows.table);
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

absl::StatusOr<std::unique_ptr<ClientRows>> OpenSiteRows(const RowsLocation& location, const Schema& schema,
                                                         ProgressSink& progress) {
  return std::visit([&](const auto& rows) { return Open(rows, schema, progress); }, location);
}

bool IsForOwnerOnly(const absl::Status& status) { return status.code() == absl::StatusCode::kInvalidArgument; }

absl::Status CheckSiteRows(const RowsLocation& location, const Schema& schema, ProgressSink& progress) {
  return OpenSiteRows(location, schema, progress).status();
}

}  // namespace flaim::runtime
