#include "rows/postgres/table.h"

#include <set>
#include <string_view>

#include "base/status.h"
#include "fmt/ranges.h"
#include "io/message_text.h"
#include "rows/postgres/copy_source.h"
#include "rows/postgres/names.h"

namespace flaim {
namespace {

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
  const std::string value = fmt::format("CAST({} AS {})", field, database_type);  // a domain's, too
  if (kOneTextEach.contains(database_type)) return {name, field, value, value, database_type};
  if (kSeveralTexts.contains(database_type)) return {name, field, AsText(field), value, database_type};
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

absl::Status Lacks(const std::vector<std::string>& missing, const PostgresSource& source) {
  std::string suggestion;
  if (missing.size() == 1) {
    const std::vector<std::string_view> names = [&] {
      std::vector<std::string_view> all;
      for (const auto& [name, type] : source.type_of_column) all.push_back(name);
      return all;
    }();
    suggestion = SuggestNearest(missing.front(), names);
  }
  return FailedPrecondition(
      "{}: columns of the schema that the table lacks: {}; upper and lower case count. A view can give columns other "
      "names.{}",
      source.name, QuoteListForMessage(missing), suggestion);
}

}  // namespace

absl::StatusOr<PostgresTable> PostgresTable::Create(std::unique_ptr<PostgresSnapshot> snapshot,
                                                    const PostgresSource& source, const Schema& schema) {
  std::vector<std::string> missing;
  for (const Column& column : schema.columns()) {
    if (!source.type_of_column.contains(column.name())) missing.push_back(column.name());
  }
  if (!missing.empty()) return Lacks(missing, source);
  for (const Column& column : schema.columns()) {
    RETURN_IF_ERROR(CheckTimeZone(source.name, column, source.type_of_column.at(column.name())));
  }
  return PostgresTable(std::move(snapshot), source, schema);
}

PostgresTable::PostgresTable(std::unique_ptr<PostgresSnapshot> snapshot, const PostgresSource& source,
                             const Schema& schema)
    : snapshot_(std::move(snapshot)),
      name_(source.name),
      source_(source.sql + " AS source"),
      delimiter_(QuoteLiteral(std::string_view(&schema.spec().delimiter, 1))) {
  for (const Column& column : schema.columns()) {
    columns_.push_back(SqlOf(column, source.type_of_column.at(column.name())));
  }
}

absl::StatusOr<std::unique_ptr<ByteSource>> PostgresTable::Rows(PostgresSnapshot::GoOn go_on) {
  // A row that is one NULL would be a blank line, which is no row in a CSV file; an empty text is written as "".
  const bool is_alone = columns_.size() == 1;
  std::vector<std::string> fields;
  for (const PostgresColumn& column : columns_) {
    fields.push_back(fmt::format("{} AS {}", is_alone ? AsText(column.field) : column.field, column.name));
  }
  return PostgresCopySource::Start(
      *snapshot_,
      fmt::format("COPY (SELECT {} FROM {}) TO STDOUT (FORMAT csv, HEADER true, DELIMITER {})", fmt::join(fields, ", "),
                  source_, delimiter_),
      name_, std::move(go_on));
}

absl::StatusOr<std::unique_ptr<ByteSource>> PostgresTable::Values(AttributeIndex column, PostgresSnapshot::GoOn go_on) {
  const PostgresColumn& sql = columns_[static_cast<std::size_t>(column)];
  return PostgresCopySource::Start(
      *snapshot_,
      fmt::format(
          "COPY (SELECT t, CASE WHEN o IS NULL THEN 'n' WHEN o = pg_catalog.lag(o) OVER (ORDER BY o, t) THEN 'e' "
          "ELSE 'a' END, n FROM (SELECT {} AS t, {} AS o, pg_catalog.count(*) AS n FROM {} GROUP BY 1, 2) AS v "
          "ORDER BY o, t) TO STDOUT (FORMAT csv)",
          sql.text, sql.order, source_),
      name_, std::move(go_on));
}

absl::StatusOr<std::unique_ptr<ByteSource>> PostgresTable::Counts(std::span<const Clique> cliques,
                                                                  std::span<const PostgresCode> codes, Which which,
                                                                  PostgresSnapshot::GoOn go_on) {
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
  std::vector<std::string> conditions;
  for (std::size_t i = 0; which == Which::kRowsThatFit && i < columns_.size(); ++i) {
    if (const std::optional<std::string> fits = codes[i].FitsSql(columns_[i])) conditions.push_back(*fits);
  }
  const std::string where = conditions.empty() ? "" : fmt::format(" WHERE {}", fmt::join(conditions, " AND "));
  return PostgresCopySource::Start(
      *snapshot_,
      fmt::format("COPY (SELECT {}pg_catalog.count(*) FROM (SELECT {} FROM {}{}) AS coded GROUP BY GROUPING SETS ({})) "
                  "TO STDOUT (FORMAT csv)",
                  fmt::join(names, ""), fmt::join(coded, ", "), source_, where, fmt::join(sets, ", ")),
      name_, std::move(go_on));
}

}  // namespace flaim
