#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/byte_source.h"
#include "data/schema.h"
#include "marginal/clique.h"
#include "rows/postgres.h"

namespace flaim {

// A table or view with the columns that a schema keeps, as of the moment when it was opened. Both ways to ask it write
// a value exactly as COPY would, and NULL as an empty field. One exception: in a column that is boolean in the schema
// and in the database, the schema's first spellings stand for t and f.
class PostgresTable {
 public:
  // Refuses a table that is not there or may not be read, columns of the schema that it lacks (it may have others), and
  // times with a time zone where the schema has a date or datetime, which is always without.
  static absl::StatusOr<PostgresTable> Open(const std::string& connection, const std::string& table,
                                            const Schema& schema);

  // As it was given to Open; for messages.
  const std::string& name() const { return name_; }

  // All rows as a CSV file with a header, as the schema describes it. The table outlives the source and is asked
  // nothing else meanwhile. A source that is not read to its end closes the table.
  absl::StatusOr<std::unique_ptr<ByteSource>> Rows();
  // The distinct rows over a clique's columns, in the order of the clique and without a header, each followed by how
  // often it occurs; with commas. Texts are told apart byte by byte, whatever the collation. Otherwise as Rows.
  absl::StatusOr<std::unique_ptr<ByteSource>> Counts(const Clique& clique);

 private:
  // All of it SQL.
  struct SqlColumn {
    std::string name;
    std::string field;  // of a row, as COPY takes it
    std::string group;  // by which rows are counted
  };

  PostgresTable(PostgresSnapshot snapshot, std::string name) : snapshot_(std::move(snapshot)), name_(std::move(name)) {}

  absl::Status FindColumns(const std::string& object_id, const Schema& schema);
  absl::Status CheckPermission();

  PostgresSnapshot snapshot_;
  std::string name_;
  std::string sql_name_;
  std::string delimiter_;           // a literal
  std::vector<SqlColumn> columns_;  // in the schema's order
};

}  // namespace flaim
