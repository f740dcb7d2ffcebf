#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace flaim {

// How names and texts stand in a statement.

// In double quotes, which no server folds to lower case. REQUIRES: no NUL byte.
std::string QuoteIdentifier(std::string_view name);
// In single quotes; right whether or not the server takes a backslash for itself. REQUIRES: no NUL byte.
std::string QuoteLiteral(std::string_view text);

struct PostgresTableName {
  std::optional<std::string> schema;  // without one, the server looks along the role's search path
  std::string table;

  bool operator==(const PostgresTableName&) const = default;
};

// [schema.]table by the rules of SQL: a part in double quotes is taken as it is (a quote in it is doubled), any other
// is folded to lower case.
absl::StatusOr<PostgresTableName> ParseTableName(std::string_view text);
// Quoted, for a statement.
std::string ToSql(const PostgresTableName& name);

}  // namespace flaim
