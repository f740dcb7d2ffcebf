#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "rows/postgres/snapshot.h"

struct pg_conn;
struct pg_result;

namespace flaim {

// A connection of its own, by libpq. It never connects again: another connection would see another moment.
//
// Timeouts of the server, the role or the connection string hold; this adds one for connecting, and keep-alives.
// Notices of the server are dropped, because they may quote values.
class LibpqSnapshot final : public PostgresSnapshot {
 public:
  // A row of a result; nothing stands for NULL.
  using Fields = std::vector<std::optional<std::string>>;

  // `go_on` ends what comes before the first copy: a statement can wait for a lock. Connecting itself is not asked for.
  static absl::StatusOr<std::unique_ptr<LibpqSnapshot>> Open(const std::string& connection, GoOn go_on);

  // All rows of a small result. $1 in the statement stands for the parameter.
  absl::StatusOr<std::vector<Fields>> Query(const std::string& statement, const std::optional<std::string>& parameter);

  absl::Status StartCopy(const std::string& statement, GoOn go_on) override;
  absl::StatusOr<std::string_view> NextCopiedLine() override;
  // And disconnects.
  void Close() override;

 private:
  struct Closer {
    void operator()(pg_conn* connection) const;
  };
  struct Freer {
    void operator()(char* line) const;
  };
  struct Clearer {
    void operator()(pg_result* result) const;
  };
  using Result = std::unique_ptr<pg_result, Clearer>;
  using Connection = std::unique_ptr<pg_conn, Closer>;

  LibpqSnapshot(Connection connection, GoOn go_on) : connection_(std::move(connection)), go_on_(std::move(go_on)) {}
  absl::Status Begin();
  // Waits a little for something from the server. False if nothing will come any more.
  absl::StatusOr<bool> WaitForMore();
  // The last result of a statement that was sent, or the one that begins a copy.
  absl::StatusOr<Result> LastResult();
  // The next one; none at the end.
  absl::StatusOr<Result> NextResult();
  absl::Status Failed(absl::Status status);

  Connection connection_;
  GoOn go_on_;
  std::unique_ptr<char, Freer> line_;
};

}  // namespace flaim
