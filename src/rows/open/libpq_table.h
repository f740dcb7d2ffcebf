#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"
#include "rows/postgres/table.h"

namespace flaim {

// [schema.]table or view of a database, over a connection of its own. Refuses, beside what PostgresTable does, a table
// that is not there or may not be read.
absl::StatusOr<PostgresTable> OpenPostgresTable(const std::string& connection, const std::string& table,
                                                const Schema& schema, PostgresSnapshot::GoOn go_on);

}  // namespace flaim
