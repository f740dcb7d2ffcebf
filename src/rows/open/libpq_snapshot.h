#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "rows/postgres/snapshot.h"

struct pg_conn;

namespace flaim {

// A connection of its own, by libpq. It never connects again: another connection would see another moment.
//
// Timeouts of the server, the role or the connection string hold; this adds one for connecting, and keep-alives.
// Notices of the server are dropped, because they may quote values.
class LibpqSnapshot final : public PostgresSnapshot {
 public:
  // A row of a result; nothing stands for NULL.
  using Fields = std::vector<std::optional<std::string>>;

  static absl::StatusOr<std::unique_ptr<LibpqSnapshot>> Open(const std::string& connection);

  // All rows of a small result. $1 in the statement stands for the parameter.
  absl::StatusOr<std::vector<Fields>> Query(const std::string& statement, const std::optional<std::string>& parameter);

  absl::Status StartCopy(const std::string& statement) override;
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
  using Connection = std::unique_ptr<pg_conn, Closer>;

  explicit LibpqSnapshot(Connection connection) : connection_(std::move(connection)) {}
  absl::Status Begin();
  absl::Status Failed(absl::Status status);

  Connection connection_;
  std::unique_ptr<char, Freer> line_;
};

}  // namespace flaim
