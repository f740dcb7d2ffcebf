#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"
#include "io/byte_source.h"
#include "marginal/clique.h"
#include "rows/postgres/code.h"
#include "rows/postgres/snapshot.h"

namespace flaim {

// Where rows are in a database.
struct PostgresSource {
  std::string name;  // for messages
  std::string sql;   // what stands after FROM: a name, or a query in parentheses
  std::map<std::string, std::string, std::less<>> type_of_column;  // as pg_catalog.format_type calls them
};

// A table, view or query with the columns that a schema keeps, as of the moment when it was opened. All ways to ask it
// write a value exactly as COPY would, and NULL as an empty field. One exception: in a column that is boolean in the
// schema and in the database, the schema's first spellings stand for t and f.
class PostgresTable {
 public:
  // Refuses a source that lacks columns of the schema (it may have others), and times with a time zone where the schema
  // has a date or datetime, which is always without.
  static absl::StatusOr<PostgresTable> Create(std::unique_ptr<PostgresSnapshot> snapshot, const PostgresSource& source,
                                              const Schema& schema);

  const std::string& name() const { return name_; }

  // All rows as a CSV file with a header, as the schema describes it. The table outlives the source and is asked
  // nothing else meanwhile, and so does what `go_on` needs (snapshot.h). A source that is not read to its end closes
  // the table.
  absl::StatusOr<std::unique_ptr<ByteSource>> Rows(PostgresSnapshot::GoOn go_on);
  // The different values of a column in their order, without a header: text, rank (n for NULL, e for equal to the one
  // before, a for above it) and how often it occurs; with commas. Texts are told apart byte by byte, whatever the
  // collation. Otherwise as Rows.
  absl::StatusOr<std::unique_ptr<ByteSource>> Values(AttributeIndex column, PostgresSnapshot::GoOn go_on);
  // How often each combination of codes occurs, for all these cliques in one pass: for each attribute that is in one of
  // them what its code says in SQL, empty where the clique of the line has it not, and the number. Otherwise as Values.
  enum class Which { kAllRows, kRowsThatFit };  // in all columns, also those of no clique
  absl::StatusOr<std::unique_ptr<ByteSource>> Counts(std::span<const Clique> cliques,
                                                     std::span<const PostgresCode> codes, Which which,
                                                     PostgresSnapshot::GoOn go_on);

 private:
  PostgresTable(std::unique_ptr<PostgresSnapshot> snapshot, const PostgresSource& source, const Schema& schema);

  std::unique_ptr<PostgresSnapshot> snapshot_;
  std::string name_;
  std::string source_;                   // SQL
  std::string delimiter_;                // a literal
  std::vector<PostgresColumn> columns_;  // in the schema's order
};

}  // namespace flaim
