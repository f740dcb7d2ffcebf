#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

struct pg_conn;

namespace flaim {

// A connection to a PostgreSQL server with one read-only transaction that sees the database as of one moment
// (REPEATABLE READ), and writes values as COPY does for everybody: UTF-8, ISO dates, floating-point numbers with all
// their digits, whatever the server's settings. It never connects again: another connection would see another moment.
// The first statement that fails, or is not read to its end, is the last one.
//
// Timeouts of the server, the role or the connection string hold; this adds one for connecting, and keep-alives.
// Notices of the server are dropped, because they may quote values. Not thread-safe.
class PostgresSnapshot {
 public:
  // A row of a result; nothing stands for NULL.
  using Fields = std::vector<std::optional<std::string>>;

  static absl::StatusOr<PostgresSnapshot> Open(const std::string& connection);

  // All rows of a small result. $1 in the statement stands for the parameter.
  absl::StatusOr<std::vector<Fields>> Query(const std::string& statement, const std::optional<std::string>& parameter);

  // COPY ... TO STDOUT.
  absl::Status StartCopy(const std::string& statement);
  // Its next line, valid until the next call; empty at the end. REQUIRES: a copy was started and has not ended.
  absl::StatusOr<std::string_view> NextCopiedLine();

  // Stops a statement that is under way, also at the server, and disconnects.
  void Close();

 private:
  struct Closer {
    void operator()(pg_conn* connection) const;
  };
  struct Freer {
    void operator()(char* line) const;
  };
  using Connection = std::unique_ptr<pg_conn, Closer>;

  explicit PostgresSnapshot(Connection connection) : connection_(std::move(connection)) {}
  absl::Status Begin();
  absl::Status Failed(absl::Status status);

  Connection connection_;
  std::unique_ptr<char, Freer> line_;
};

}  // namespace flaim
