#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace flaim {

// How names and texts stand in a statement, and where a database is, for people.

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

// What people may see of a connection string. Empty: libpq's default.
struct PostgresAddress {
  std::string user;
  std::string host;
  std::string port;
  std::string database;
};

// Understands what libpq does. Neither the address nor an error contains a password, also where a special character in
// a password makes libpq take a piece of it for something else: such strings are refused.
absl::StatusOr<PostgresAddress> ParseConnectionString(const std::string& connection);
// "postgresql://reader@db.example.org:5432/clinic".
std::string ToText(const PostgresAddress& address);

}  // namespace flaim
