#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

struct sqlite3;
struct sqlite3_stmt;

namespace flaim {

// The part of SQLite that the ledger needs, with statuses for error codes and destructors for handles. A file that
// somebody else wrote is opened with SQLite's defences on: no extensions, no functions called by the schema, cells
// checked for size, no way to write the schema table.

// A prepared statement. Must not outlive its connection.
class SqliteStatement {
 public:
  // Runs an INSERT with these values for its question marks, in order.
  template <typename... Values>
  absl::Status Run(const Values&... values) {
    Reset();
    int index = 0;
    (BindOne(++index, values), ...);
    return RunBound();
  }

  // Runs a query for `key`, its only question mark, or without one. True if there is a row, which the accessors below
  // then read until the next call.
  absl::StatusOr<bool> Find(std::int64_t key);
  absl::StatusOr<bool> Next();
  // Lets go of the current row, and of the memory and lock that it holds.
  void Release() { Reset(); }

  // One letter for each column: i(nteger), r(eal), t(ext), b(lob). SQLite would convert silently otherwise.
  bool HasTypes(std::string_view types) const;

  std::int64_t Integer(int column) const;
  double Real(int column) const;
  std::string Text(int column) const;
  std::vector<std::byte> Blob(int column) const;

 private:
  friend class SqliteConnection;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  SqliteStatement(sqlite3_stmt* statement, std::string path) : statement_(statement), path_(std::move(path)) {}

  void Reset();
  void BindOne(int index, std::int64_t value);
  void BindOne(int index, double value);
  void BindOne(int index, std::string_view value);
  void BindOne(int index, std::span<const std::byte> value);
  absl::Status RunBound();

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string path_;  // for messages
  int bind_result_ = 0;
};

// An open database. One thread at a time; not to be carried over a fork().
class SqliteConnection {
 public:
  // Opens an existing file, for reading only where the file permits no more. `wait` is how long a statement waits for
  // another process that holds the file.
  static absl::StatusOr<SqliteConnection> Open(const std::string& path, std::chrono::milliseconds wait);

  const std::string& path() const { return path_; }
  bool IsReadOnly() const;

  // Runs statements whose results do not matter.
  absl::Status Execute(const std::string& sql);
  absl::StatusOr<SqliteStatement> Prepare(const std::string& sql);
  // The first column of the first row, or 0 if there is none.
  absl::StatusOr<std::int64_t> QueryInteger(const std::string& sql);
  absl::StatusOr<std::string> QueryText(const std::string& sql);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  SqliteConnection(sqlite3* database, std::string path) : database_(database), path_(std::move(path)) {}

  std::unique_ptr<sqlite3, Close> database_;
  std::string path_;
};

// Everything between Begin and Commit happens or does not happen; without a Commit it does not.
class SqliteTransaction {
 public:
  enum class Kind { kRead, kWrite };
  // A write transaction takes the file's write lock at once, so what it reads stays true until it commits.
  static absl::StatusOr<SqliteTransaction> Begin(SqliteConnection& connection, Kind kind);

  SqliteTransaction(SqliteTransaction&& other) noexcept;
  SqliteTransaction& operator=(SqliteTransaction&&) = delete;
  ~SqliteTransaction();

  absl::Status Commit();

 private:
  explicit SqliteTransaction(SqliteConnection& connection) : connection_(&connection) {}

  SqliteConnection* connection_;  // not to be moved meanwhile; null once it is over
};

}  // namespace flaim
