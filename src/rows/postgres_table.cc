#include "rows/postgres_table.h"

#include <map>
#include <set>
#include <string_view>

#include "base/status.h"
#include "data/message_text.h"
#include "fmt/ranges.h"
#include "rows/postgres_copy_source.h"
#include "rows/postgres_names.h"

namespace flaim {
namespace {

using TypeOfColumn = std::map<std::string, std::string, std::less<>>;

// What COPY takes for a field: the column, or the schema's spellings of a boolean.
std::string FieldOf(const Column& column, const std::string& database_type) {
  const std::string name = QuoteIdentifier(column.name());
  const auto* boolean = std::get_if<BooleanType>(&column.spec().type);
  if (boolean == nullptr || database_type != "boolean") return name;
  return fmt::format("CASE WHEN {0} THEN {1} WHEN NOT {0} THEN {2} END", name,
                     QuoteLiteral(boolean->spec().true_spellings.front()),
                     QuoteLiteral(boolean->spec().false_spellings.front()));
}

// Writes any type as COPY does, and NULL as an empty text; a cast to text would not (booleans, padded texts).
std::string AsText(const std::string& field) { return fmt::format("pg_catalog.concat({})", field); }

// Numbers and times are sorted as such, so that a bin is one run of values; all other types as their texts, byte by
// byte, because not every type has an order, and collations may take different texts for equal.
PostgresColumn SqlOf(const Column& column, const std::string& database_type) {
  static const std::set<std::string_view> kOneTextEach = {"smallint", "integer", "bigint", "date"};
  static const std::set<std::string_view> kSeveralTexts = {"numeric", "real", "double precision",
                                                           "timestamp without time zone"};
  const std::string name = QuoteIdentifier(column.name());
  const std::string field = FieldOf(column, database_type);
  if (kOneTextEach.contains(database_type)) return {name, field, field, field, database_type};
  if (kSeveralTexts.contains(database_type)) return {name, field, AsText(field), field, database_type};
  const bool is_text = database_type == "text" || database_type == "character varying";
  const std::string text =
      fmt::format("{} COLLATE \"C\"", is_text ? fmt::format("CAST({} AS pg_catalog.text)", field) : AsText(field));
  return {name, field, text, text, "pg_catalog.text"};
}

absl::Status CheckTimeZone(const std::string& table, const Column& column, const std::string& database_type) {
  if (!std::holds_alternative<TimeType>(column.spec().type)) return absl::OkStatus();
  if (database_type != "timestamp with time zone") return absl::OkStatus();
  return FailedPrecondition(
      "{}: column {} is a timestamp with time zone, and the schema's times are without; choose the zone in a view, as "
      "in "
      "{} AT TIME ZONE 'Europe/Berlin'",
      table, QuoteForMessage(column.name()), QuoteIdentifier(column.name()));
}

absl::Status Lacks(const std::string& table, const std::vector<std::string>& missing, const TypeOfColumn& types) {
  std::string suggestion;
  if (missing.size() == 1) {
    const std::vector<std::string_view> names = [&] {
      std::vector<std::string_view> all;
      for (const auto& [name, type] : types) all.push_back(name);
      return all;
    }();
    suggestion = SuggestNearest(missing.front(), names);
  }
  return NotFound(
      "{}: columns of the schema that the table lacks: {}; upper and lower case count. A view can give columns other "
      "names.{}",
      table, QuoteListForMessage(missing), suggestion);
}

absl::Status InTable(const std::string& table, const absl::Status& status) {
  return {status.code(), fmt::format("{}: {}", table, std::string(status.message()))};
}

absl::StatusOr<std::string> FindTable(PostgresSnapshot& snapshot, const std::string& name,
                                      const std::string& sql_name) {
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

}  // namespace

absl::StatusOr<PostgresTable> PostgresTable::Open(const std::string& connection, const std::string& table,
                                                  const Schema& schema) {
  ASSIGN_OR_RETURN(const PostgresTableName name, ParseTableName(table));
  ASSIGN_OR_RETURN(PostgresSnapshot snapshot, PostgresSnapshot::Open(connection));
  PostgresTable opened(std::move(snapshot), table);
  opened.sql_name_ = ToSql(name);
  opened.delimiter_ = QuoteLiteral(std::string_view(&schema.spec().delimiter, 1));
  ASSIGN_OR_RETURN(const std::string object_id, FindTable(opened.snapshot_, table, opened.sql_name_));
  RETURN_IF_ERROR(opened.FindColumns(object_id, schema));
  RETURN_IF_ERROR(opened.CheckPermission());
  return opened;
}

absl::Status PostgresTable::FindColumns(const std::string& object_id, const Schema& schema) {
  ASSIGN_OR_RETURN(
      const auto rows,
      snapshot_.Query("SELECT attname, pg_catalog.format_type(atttypid, NULL) FROM pg_catalog.pg_attribute "
                      "WHERE attrelid = $1::pg_catalog.oid AND attnum > 0 AND NOT attisdropped",
                      object_id));
  TypeOfColumn types;
  for (const PostgresSnapshot::Fields& row : rows) types.emplace(row[0].value_or(""), row[1].value_or(""));
  std::vector<std::string> missing;
  for (const Column& column : schema.columns()) {
    const auto found = types.find(column.name());
    if (found == types.end()) {
      missing.push_back(column.name());
      continue;
    }
    RETURN_IF_ERROR(CheckTimeZone(name_, column, found->second));
    columns_.push_back(SqlOf(column, found->second));
  }
  return missing.empty() ? absl::OkStatus() : Lacks(name_, missing, types);
}

absl::Status PostgresTable::CheckPermission() {
  std::vector<std::string> names;
  for (const PostgresColumn& column : columns_) names.push_back(column.name);
  const auto nothing =
      snapshot_.Query(fmt::format("SELECT {} FROM {} LIMIT 0", fmt::join(names, ", "), sql_name_), std::nullopt);
  return nothing.ok() ? absl::OkStatus() : InTable(name_, nothing.status());
}

absl::StatusOr<std::unique_ptr<ByteSource>> PostgresTable::Rows() {
  // A row that is one NULL would be a blank line, which is no row in a CSV file; an empty text is written as "".
  const bool is_alone = columns_.size() == 1;
  std::vector<std::string> fields;
  for (const PostgresColumn& column : columns_) {
    fields.push_back(fmt::format("{} AS {}", is_alone ? AsText(column.field) : column.field, column.name));
  }
  return PostgresCopySource::Start(
      snapshot_,
      fmt::format("COPY (SELECT {} FROM {}) TO STDOUT (FORMAT csv, HEADER true, DELIMITER {})", fmt::join(fields, ", "),
                  sql_name_, delimiter_),
      name_);
}

absl::StatusOr<std::unique_ptr<ByteSource>> PostgresTable::Values(AttributeIndex column) {
  const PostgresColumn& sql = columns_[static_cast<std::size_t>(column)];
  return PostgresCopySource::Start(
      snapshot_,
      fmt::format(
          "COPY (SELECT t, CASE WHEN o IS NULL THEN 'n' WHEN o = pg_catalog.lag(o) OVER (ORDER BY o, t) THEN 'e' "
          "ELSE 'a' END, n FROM (SELECT {} AS t, {} AS o, pg_catalog.count(*) AS n FROM {} GROUP BY 1, 2) AS v "
          "ORDER BY o, t) TO STDOUT (FORMAT csv)",
          sql.text, sql.order, sql_name_),
      name_);
}

absl::StatusOr<std::unique_ptr<ByteSource>> PostgresTable::Counts(std::span<const Clique> cliques,
                                                                  std::span<const PostgresCode> codes) {
  std::set<AttributeIndex> attributes;
  std::vector<std::string> sets;
  for (const Clique& clique : cliques) {
    std::vector<std::string> names;
    for (const AttributeIndex attribute : clique) names.push_back(fmt::format("c{}", attribute));
    attributes.insert(clique.begin(), clique.end());
    sets.push_back(fmt::format("({})", fmt::join(names, ", ")));
  }
  std::vector<std::string> names;
  std::vector<std::string> coded = {"1 AS one"};
  for (const AttributeIndex attribute : attributes) {
    const auto i = static_cast<std::size_t>(attribute);
    names.push_back(fmt::format("c{}, ", attribute));
    coded.push_back(fmt::format("{} AS c{}", codes[i].Sql(columns_[i]), attribute));
  }
  return PostgresCopySource::Start(
      snapshot_,
      fmt::format("COPY (SELECT {}pg_catalog.count(*) FROM (SELECT {} FROM {}) AS coded GROUP BY GROUPING SETS ({})) "
                  "TO STDOUT (FORMAT csv)",
                  fmt::join(names, ""), fmt::join(coded, ", "), sql_name_, fmt::join(sets, ", ")),
      name_);
}

}  // namespace flaim
