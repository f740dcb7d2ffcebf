#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "io/sqlite.h"
#include "privacy/ledger/ledger_row.h"
#include "privacy/ledger/ledger_state.h"

namespace flaim {

// The rows of a ledger in an SQLite file: what docs/LEDGER.md describes. Knows the columns; LedgerState knows the
// rules.
class LedgerFile {
 public:
  // Makes an empty file, readable by its owner only. An existing file is left as it is.
  static absl::Status Touch(const std::string& path);
  // NotFound if there is no file or nothing in it yet; DataLoss if it is not a ledger, or one with other tables.
  static absl::StatusOr<LedgerFile> Open(const std::string& path, std::chrono::milliseconds wait);
  // Fills an empty file with tables and the first row, in one transaction. AlreadyExists if it is not empty.
  static absl::Status Format(const std::string& path, const LedgerRow& terms, std::chrono::milliseconds wait);

  // Gives a file of format 1 the table of bindings, which it lacks; its rows stay as they are. REQUIRES: no transaction
  // is open, and the file can be written.
  absl::Status AddBindings();

  const std::string& path() const { return connection_.path(); }
  bool IsReadOnly() const { return connection_.IsReadOnly(); }

  absl::StatusOr<SqliteTransaction> Begin(SqliteTransaction::Kind kind) {
    return SqliteTransaction::Begin(connection_, kind);
  }

  // REQUIRES, for all below: a transaction is open.
  // Applies every row that `state` has not seen. DataLoss if the rows it has seen are no longer there.
  absl::Status CatchUp(LedgerState& state);
  // The row, and nothing if there is none.
  absl::StatusOr<std::optional<LedgerRow>> Read(std::int64_t sequence);
  absl::Status Insert(const LedgerRow& row);
  // SQLite's own check of all pages and indexes.
  absl::Status CheckPages();

 private:
  LedgerFile(SqliteConnection connection, SqliteStatement terms, SqliteStatement debit, SqliteStatement release,
             std::optional<SqliteStatement> binding)
      : connection_(std::move(connection)),
        select_terms_(std::move(terms)),
        select_debit_(std::move(debit)),
        select_release_(std::move(release)),
        select_binding_(std::move(binding)) {}

  static absl::StatusOr<LedgerFile> Prepare(SqliteConnection connection, std::int64_t format);
  absl::Status Write(const LedgerRow& row, const LedgerTerms& terms);
  absl::Status Write(const LedgerRow& row, const DebitEntry& debit);
  absl::Status Write(const LedgerRow& row, const ReleaseEntry& release);
  absl::Status Write(const LedgerRow& row, const BindingEntry& binding);
  absl::Status CheckBounds(const LedgerState& state);

  SqliteConnection connection_;
  SqliteStatement select_terms_;
  SqliteStatement select_debit_;
  SqliteStatement select_release_;
  std::optional<SqliteStatement> select_binding_;  // format 1 has none at first
};

}  // namespace flaim
