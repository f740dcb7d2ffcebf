#include "privacy/ledger/ledger_schema.h"

#include "base/status.h"

namespace flaim {
namespace {

// In the order of creation. Rows of sqlite_schema without SQL, which are the indexes of UNIQUE, appear by name.
constexpr const char* kSchema[] = {
    R"(CREATE TABLE terms (
  sequence INTEGER PRIMARY KEY CHECK (sequence = 0),
  data_name TEXT NOT NULL,
  epsilon REAL NOT NULL,
  delta REAL NOT NULL,
  total_units INTEGER NOT NULL,
  adjacency INTEGER NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT)",
    R"(CREATE TABLE debit (
  sequence INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  round INTEGER NOT NULL,
  query TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  mechanism INTEGER NOT NULL,
  numerator INTEGER NOT NULL,
  denominator INTEGER NOT NULL,
  sensitivity INTEGER NOT NULL,
  adjacency INTEGER NOT NULL,
  cost_units INTEGER NOT NULL,
  cumulative_units INTEGER NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (run, round, query, attempt)
) STRICT)",
    "sqlite_autoindex_debit_1",
    R"(CREATE TABLE release (
  sequence INTEGER PRIMARY KEY,
  debit INTEGER NOT NULL UNIQUE REFERENCES debit (sequence),
  provenance TEXT NOT NULL,
  value BLOB NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT)",
    "sqlite_autoindex_release_1",
    R"(CREATE TRIGGER terms_never_change BEFORE UPDATE ON terms
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END)",
    R"(CREATE TRIGGER terms_never_go BEFORE DELETE ON terms
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END)",
    R"(CREATE TRIGGER debit_never_changes BEFORE UPDATE ON debit
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END)",
    R"(CREATE TRIGGER debit_never_goes BEFORE DELETE ON debit
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END)",
    R"(CREATE TRIGGER debit_comes_last BEFORE INSERT ON debit
WHEN NEW.sequence <> 1 + max(0, (SELECT coalesce(max(sequence), 0) FROM debit), (SELECT coalesce(max(sequence), 0) FROM release))
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END)",
    R"(CREATE TRIGGER release_never_changes BEFORE UPDATE ON release
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END)",
    R"(CREATE TRIGGER release_never_goes BEFORE DELETE ON release
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END)",
    R"(CREATE TRIGGER release_comes_last BEFORE INSERT ON release
WHEN EXISTS (SELECT 1 FROM release WHERE debit = NEW.debit)
  OR NEW.sequence <> 1 + max(0, (SELECT coalesce(max(sequence), 0) FROM debit), (SELECT coalesce(max(sequence), 0) FROM release))
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END)",
};

bool IsStatement(std::string_view entry) { return entry.starts_with("CREATE "); }

absl::Status CheckIdentity(SqliteConnection& connection) {
  ASSIGN_OR_RETURN(const std::int64_t application, connection.QueryInteger("PRAGMA application_id"));
  if (application != kLedgerApplicationId) {
    return DataLoss("'{}' is not a ledger but some other SQLite database: check the path", connection.path());
  }
  ASSIGN_OR_RETURN(const std::int64_t format, connection.QueryInteger("PRAGMA user_version"));
  if (format > kLedgerFormat) {
    return FailedPrecondition("the ledger '{}' has format {}, but this version of flaim knows only {}: use a newer one",
                              connection.path(), format, kLedgerFormat);
  }
  if (format != kLedgerFormat) return DataLoss("the ledger '{}' has the unknown format {}", connection.path(), format);
  return absl::OkStatus();
}

}  // namespace

absl::Status ConfigureLedgerConnection(SqliteConnection& connection) {
  RETURN_IF_ERROR(connection.Execute("PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON"));
  ASSIGN_OR_RETURN(const std::string mode, connection.QueryText("PRAGMA journal_mode = DELETE"));
  if (mode == "delete") return absl::OkStatus();
  return FailedPrecondition(
      "the ledger '{}' is in journal mode '{}' instead of 'delete': it was opened by another program",
      connection.path(), mode);
}

absl::Status CreateLedgerTables(SqliteConnection& connection) {
  for (const char* entry : kSchema) {
    if (IsStatement(entry)) RETURN_IF_ERROR(connection.Execute(entry));
  }
  return connection.Execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kLedgerApplicationId, kLedgerFormat));
}

absl::Status CheckLedgerTables(SqliteConnection& connection) {
  ASSIGN_OR_RETURN(const std::int64_t pages, connection.QueryInteger("PRAGMA page_count"));
  if (pages == 0) {
    return NotFound("the ledger '{}' is empty: its creation was cut short. Create it again", connection.path());
  }
  RETURN_IF_ERROR(CheckIdentity(connection));
  ASSIGN_OR_RETURN(SqliteStatement entries,
                   connection.Prepare("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY rowid"));
  const absl::Status altered = DataLoss(
      "the tables of the ledger '{}' have been altered: keep the file and find out by whom", connection.path());
  for (const char* expected : kSchema) {
    ASSIGN_OR_RETURN(const bool found, entries.Next());
    if (!found || entries.Text(0) != expected) return altered;
  }
  ASSIGN_OR_RETURN(const bool more, entries.Next());
  return more ? altered : absl::OkStatus();
}

}  // namespace flaim
