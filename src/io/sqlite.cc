#include "io/sqlite.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

// A row longer than this is refused. 32 million counts fit.
constexpr int kMaxLengthBytes = 1 << 28;

absl::Status CannotOpen(sqlite3* database, const std::string& path) {
  const int error = sqlite3_system_errno(database);
  if (error == ENOENT) return NotFound("there is no ledger '{}': check the path, or create one first", path);
  return absl::PermissionDeniedError(fmt::format(
      "the ledger '{}', or the journal beside it, cannot be opened ({}): check that it is a file in a folder "
      "that you may write to",
      path, error == 0 ? "no reason given" : std::strerror(error)));
}

absl::Status ToStatus(sqlite3* database, int code, const std::string& path) {
  switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
      return absl::OkStatus();
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Unavailable("the ledger '{}' is in use by another process: wait until that one is done, then run again",
                         path);
    case SQLITE_FULL:
      return ResourceExhausted(
          "the disk of the ledger '{}' is full: free some space, then run again. Nothing was "
          "released",
          path);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return absl::PermissionDeniedError(
          fmt::format("the ledger '{}' may only be read: make the file and its folder writable for you", path));
    case SQLITE_CANTOPEN:
      return CannotOpen(database, path);
    case SQLITE_NOTADB:
      return DataLoss("'{}' is not a ledger: it is no SQLite database. Check the path", path);
    case SQLITE_CORRUPT:
      return DataLoss(
          "the ledger '{}' is damaged ({}): keep the file, and count the budget of this data as spent unless a copy "
          "with all its rows exists",
          path, sqlite3_errmsg(database));
    default:
      return absl::InternalError(
          fmt::format("the ledger '{}' could not be read or written: {} (SQLite error {}). "
                      "Check the disk, then run again",
                      path, sqlite3_errmsg(database), sqlite3_extended_errcode(database)));
  }
}

absl::Status Harden(sqlite3* database) {
  const bool accepted = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr) == SQLITE_OK &&
                        sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr) == SQLITE_OK &&
                        sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr) == SQLITE_OK;
  if (!accepted) return FailedPrecondition("this SQLite library ({}) is too old for a ledger", sqlite3_libversion());
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMaxLengthBytes);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_extended_result_codes(database, 1);
  return absl::OkStatus();
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void SqliteStatement::Reset() {
  sqlite3_reset(statement_.get());
  bind_result_ = SQLITE_OK;
}

void SqliteStatement::BindOne(int index, std::int64_t value) {
  bind_result_ |= sqlite3_bind_int64(statement_.get(), index, value);
}

void SqliteStatement::BindOne(int index, double value) {
  bind_result_ |= sqlite3_bind_double(statement_.get(), index, value);
}

void SqliteStatement::BindOne(int index, std::string_view value) {
  bind_result_ |= sqlite3_bind_text64(statement_.get(), index, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void SqliteStatement::BindOne(int index, std::span<const std::byte> value) {
  // An empty span may have no address, and SQLite takes that for NULL.
  const void* bytes = value.empty() ? "" : static_cast<const void*>(value.data());
  bind_result_ |= sqlite3_bind_blob64(statement_.get(), index, bytes, value.size(), SQLITE_STATIC);
}

absl::Status SqliteStatement::RunBound() {
  int code = bind_result_;
  if (code == SQLITE_OK) code = sqlite3_step(statement_.get());
  const absl::Status status = ToStatus(sqlite3_db_handle(statement_.get()), code, path_);
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  return status;
}

absl::StatusOr<bool> SqliteStatement::Find(std::int64_t key) {
  Reset();
  BindOne(1, key);
  return Next();
}

absl::StatusOr<bool> SqliteStatement::Next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  const absl::Status status = ToStatus(sqlite3_db_handle(statement_.get()), code, path_);
  sqlite3_reset(statement_.get());
  if (!status.ok()) return status;
  return false;
}

bool SqliteStatement::HasTypes(std::string_view types) const {
  if (sqlite3_data_count(statement_.get()) != static_cast<int>(types.size())) return false;
  for (int column = 0; column < static_cast<int>(types.size()); ++column) {
    const int type = sqlite3_column_type(statement_.get(), column);
    const char letter = type == SQLITE_INTEGER ? 'i'
                        : type == SQLITE_FLOAT ? 'r'
                        : type == SQLITE_TEXT  ? 't'
                        : type == SQLITE_BLOB  ? 'b'
                                               : '0';
    if (letter != types[static_cast<std::size_t>(column)]) return false;
  }
  return true;
}

std::int64_t SqliteStatement::Integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double SqliteStatement::Real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string SqliteStatement::Text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::vector<std::byte> SqliteStatement::Blob(int column) const {
  const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, bytes + sqlite3_column_bytes(statement_.get(), column)};
}

void SqliteConnection::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

absl::StatusOr<SqliteConnection> SqliteConnection::Open(const std::string& path, std::chrono::milliseconds wait) {
  sqlite3* database = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, /*zVfs=*/nullptr);
  SqliteConnection connection(database, path);
  if (code != SQLITE_OK) return ToStatus(database, code, path);
  RETURN_IF_ERROR(Harden(database));
  sqlite3_busy_timeout(database, static_cast<int>(wait.count()));
  RETURN_IF_ERROR(connection.Execute("PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA mmap_size = 0"));
  return connection;
}

bool SqliteConnection::IsReadOnly() const { return sqlite3_db_readonly(database_.get(), "main") != 0; }

absl::Status SqliteConnection::Execute(const std::string& sql) {
  return ToStatus(database_.get(), sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr), path_);
}

absl::StatusOr<SqliteStatement> SqliteConnection::Prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr);
  if (code != SQLITE_OK) return ToStatus(database_.get(), code, path_);
  return SqliteStatement(statement, path_);
}

absl::StatusOr<std::int64_t> SqliteConnection::QueryInteger(const std::string& sql) {
  ASSIGN_OR_RETURN(SqliteStatement statement, Prepare(sql));
  ASSIGN_OR_RETURN(const bool found, statement.Next());
  return found ? statement.Integer(0) : 0;
}

absl::StatusOr<std::string> SqliteConnection::QueryText(const std::string& sql) {
  ASSIGN_OR_RETURN(SqliteStatement statement, Prepare(sql));
  ASSIGN_OR_RETURN(const bool found, statement.Next());
  return found ? statement.Text(0) : std::string();
}

absl::StatusOr<SqliteTransaction> SqliteTransaction::Begin(SqliteConnection& connection, Kind kind) {
  RETURN_IF_ERROR(connection.Execute(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN"));
  return SqliteTransaction(connection);
}

SqliteTransaction::SqliteTransaction(SqliteTransaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

// A failed rollback leaves nothing to do: SQLite rolls back by itself when the file is next opened.
SqliteTransaction::~SqliteTransaction() {
  if (connection_ != nullptr) connection_->Execute("ROLLBACK").IgnoreError();
}

absl::Status SqliteTransaction::Commit() {
  CHECK(connection_ != nullptr, "a transaction was committed twice");
  RETURN_IF_ERROR(connection_->Execute("COMMIT"));
  connection_ = nullptr;
  return absl::OkStatus();
}

}  // namespace flaim
