#include "rows/open/libpq_table.h"

#include <utility>

#include "base/status.h"
#include "fmt/ranges.h"
#include "rows/open/libpq_snapshot.h"
#include "rows/postgres/names.h"

namespace flaim {
namespace {

absl::Status InTable(const std::string& table, const absl::Status& status) {
  return {status.code(), fmt::format("{}: {}", table, std::string(status.message()))};
}

absl::StatusOr<std::string> FindTable(LibpqSnapshot& snapshot, const std::string& name, const std::string& sql_name) {
  const auto found = snapshot.Query(
      "SELECT oid, relkind IN ('r', 'p', 'v', 'm', 'f') FROM pg_catalog.pg_class WHERE oid = "
      "pg_catalog.to_regclass($1)",
      sql_name);
  if (!found.ok()) return InTable(name, found.status());
  if (found->empty()) {
    return NotFound(
        "{}: there is no such table or view in the database; write schema.table if it is not on the search path, and "
        "double quotes around names with upper-case letters",
        name);
  }
  if (found->front()[1] != "t") return InvalidArgument("{}: is neither a table nor a view", name);
  return found->front()[0].value_or("");
}

// A domain stands for the type that it is made of.
constexpr const char* kTypesOfColumns = R"sql(
WITH RECURSIVE typed(name, type) AS (
  SELECT attname, atttypid FROM pg_catalog.pg_attribute
  WHERE attrelid = $1::pg_catalog.oid AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT name, typbasetype FROM typed JOIN pg_catalog.pg_type ON oid = type WHERE typtype = 'd')
SELECT name, pg_catalog.format_type(type, NULL) FROM typed JOIN pg_catalog.pg_type ON oid = type WHERE typtype <> 'd'
)sql";

absl::Status FindColumns(LibpqSnapshot& snapshot, const std::string& object_id, PostgresSource& source) {
  ASSIGN_OR_RETURN(const auto rows, snapshot.Query(kTypesOfColumns, object_id));
  for (const LibpqSnapshot::Fields& row : rows) source.type_of_column.emplace(row[0].value_or(""), row[1].value_or(""));
  return absl::OkStatus();
}

absl::Status CheckPermission(LibpqSnapshot& snapshot, const PostgresSource& source, const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns()) names.push_back(QuoteIdentifier(column.name()));
  const auto nothing =
      snapshot.Query(fmt::format("SELECT {} FROM {} LIMIT 0", fmt::join(names, ", "), source.sql), std::nullopt);
  return nothing.ok() ? absl::OkStatus() : InTable(source.name, nothing.status());
}

}  // namespace

absl::StatusOr<PostgresTable> OpenPostgresTable(const std::string& connection, const std::string& table,
                                                const Schema& schema, PostgresSnapshot::GoOn go_on) {
  ASSIGN_OR_RETURN(const PostgresTableName name, ParseTableName(table));
  ASSIGN_OR_RETURN(std::unique_ptr<LibpqSnapshot> snapshot, LibpqSnapshot::Open(connection, std::move(go_on)));
  LibpqSnapshot& asked = *snapshot;
  PostgresSource source{.name = table, .sql = ToSql(name), .type_of_column = {}};
  ASSIGN_OR_RETURN(const std::string object_id, FindTable(asked, table, source.sql));
  RETURN_IF_ERROR(FindColumns(asked, object_id, source));
  ASSIGN_OR_RETURN(PostgresTable opened, PostgresTable::Create(std::move(snapshot), source, schema));
  RETURN_IF_ERROR(CheckPermission(asked, source, schema));
  return opened;
}

}  // namespace flaim
