#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace flaim {

// One read-only transaction that sees a database as of one moment and writes values as COPY does for everybody, as far
// as counting needs it. The first statement that fails, or is not read to its end, is the last one. Not thread-safe.
class PostgresSnapshot {
 public:
  virtual ~PostgresSnapshot() = default;

  // Whether whoever asked still wants the answer; if not, its error ends the statement.
  using GoOn = std::function<absl::Status()>;

  // COPY ... TO STDOUT. A database can take hours for an answer: until its end, whoever waits for it asks `go_on` about
  // twenty times a second.
  virtual absl::Status StartCopy(const std::string& statement, GoOn go_on) = 0;
  // Its next line, valid until the next call; empty at the end. REQUIRES: a copy was started and has not ended.
  virtual absl::StatusOr<std::string_view> NextCopiedLine() = 0;

  // Stops a statement that is under way, also at the server.
  virtual void Close() = 0;
};

// What makes a session that: REPEATABLE READ, UTF-8, ISO dates, floating-point numbers with all their digits, whatever
// the settings of the server, the database or the role. SET LOCAL: also where a connection pool hands the session to
// others after the transaction.
inline constexpr std::array kOpeningStatements = {
    "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "SET LOCAL client_encoding = 'UTF8'",
    "SET LOCAL DateStyle = 'ISO, YMD'",
    "SET LOCAL IntervalStyle = 'postgres'",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL extra_float_digits = 3",
    "SET LOCAL bytea_output = 'hex'",
    "SELECT 1",  // takes the snapshot
};

}  // namespace flaim
