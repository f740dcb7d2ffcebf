#include "privacy/ledger/ledger_schema.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "privacy/ledger/ledger_row.h"

namespace flaim {
namespace {

constexpr const char* kTermsOfFormat1 = R"(CREATE TABLE terms (
  sequence INTEGER PRIMARY KEY CHECK (sequence = 0),
  data_name TEXT NOT NULL,
  epsilon REAL NOT NULL,
  delta REAL NOT NULL,
  total_units INTEGER NOT NULL,
  adjacency INTEGER NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT)";
constexpr const char* kTerms = R"(CREATE TABLE terms (
  sequence INTEGER PRIMARY KEY CHECK (sequence = 0),
  data_name TEXT NOT NULL,
  epsilon REAL NOT NULL,
  delta REAL NOT NULL,
  total_units INTEGER NOT NULL,
  adjacency INTEGER NOT NULL,
  accountant INTEGER NOT NULL,
  exact_run TEXT NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT)";
constexpr const char* kDebit = R"(CREATE TABLE debit (
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
) STRICT)";
constexpr const char* kRelease = R"(CREATE TABLE release (
  sequence INTEGER PRIMARY KEY,
  debit INTEGER NOT NULL UNIQUE REFERENCES debit (sequence),
  provenance TEXT NOT NULL,
  value BLOB NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT)";
constexpr const char* kBinding = R"(CREATE TABLE binding (
  sequence INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,
  key BLOB NOT NULL,
  digest BLOB NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT)";

std::string Trigger(std::string_view name, std::string_view when) {
  return fmt::format("CREATE TRIGGER {} BEFORE {}\nBEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END", name,
                     when);
}

std::string NotLast(std::span<const std::string_view> numbered) {
  std::string last = "0";
  for (const std::string_view table : numbered) {
    last += fmt::format(", (SELECT coalesce(max(sequence), 0) FROM {})", table);
  }
  return fmt::format("NEW.sequence <> 1 + max({})", last);
}

std::vector<std::string> TriggersAtTheEnd(std::span<const std::string_view> numbered) {
  const std::string not_last = NotLast(numbered);
  return {Trigger("debit_comes_last", fmt::format("INSERT ON debit\nWHEN {}", not_last)),
          Trigger("release_comes_last",
                  fmt::format("INSERT ON release\nWHEN EXISTS (SELECT 1 FROM release WHERE debit = NEW.debit)\n  OR {}",
                              not_last))};
}

constexpr std::string_view kNumberedInFormat1[] = {"debit", "release"};
constexpr std::string_view kNumbered[] = {"debit", "release", "binding"};

std::vector<std::string> BindingTriggers() {
  return {Trigger("binding_never_changes", "UPDATE ON binding"), Trigger("binding_never_goes", "DELETE ON binding"),
          Trigger("binding_comes_last", fmt::format("INSERT ON binding\nWHEN {}", NotLast(kNumbered)))};
}

// In the order of creation. Rows of sqlite_schema without SQL, which are the indexes of UNIQUE, appear by name.
std::vector<std::string> SchemaOf(std::int64_t format) {
  const bool is_today = format == kLedgerFormat;
  const auto at_the_end =
      TriggersAtTheEnd(is_today ? std::span<const std::string_view>(kNumbered) : kNumberedInFormat1);
  std::vector<std::string> schema = {is_today ? kTerms : kTermsOfFormat1, kDebit, "sqlite_autoindex_debit_1", kRelease,
                                     "sqlite_autoindex_release_1"};
  const auto add = [&schema](const std::vector<std::string>& entries) {
    schema.insert(schema.end(), entries.begin(), entries.end());
  };
  if (is_today) add({kBinding, "sqlite_autoindex_binding_1"});
  const bool is_as_created = format != kFormat1WithBindings;
  add({Trigger("terms_never_change", "UPDATE ON terms"), Trigger("terms_never_go", "DELETE ON terms"),
       Trigger("debit_never_changes", "UPDATE ON debit"), Trigger("debit_never_goes", "DELETE ON debit")});
  if (is_as_created) add({at_the_end[0]});
  add({Trigger("release_never_changes", "UPDATE ON release"), Trigger("release_never_goes", "DELETE ON release")});
  if (is_as_created) add({at_the_end[1]});
  if (is_today) add(BindingTriggers());
  if (format == kFormat1WithBindings) {
    add({kBinding, "sqlite_autoindex_binding_1"});
    add(TriggersAtTheEnd(kNumbered));
    add(BindingTriggers());
  }
  return schema;
}

bool IsStatement(std::string_view entry) { return entry.starts_with("CREATE "); }

absl::StatusOr<std::int64_t> FormatOf(SqliteConnection& connection) {
  ASSIGN_OR_RETURN(const std::int64_t application, connection.QueryInteger("PRAGMA application_id"));
  if (application != kLedgerApplicationId) {
    return DataLoss("'{}' is not a ledger but some other SQLite database: check the path", connection.path());
  }
  ASSIGN_OR_RETURN(const std::int64_t format, connection.QueryInteger("PRAGMA user_version"));
  if (format > kFormat1WithBindings) {
    return FailedPrecondition("the ledger '{}' has format {}, but this version of flaim knows only {}: use a newer one",
                              connection.path(), format, kFormat1WithBindings);
  }
  if (format < 1) return DataLoss("the ledger '{}' has the unknown format {}", connection.path(), format);
  return format;
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
  for (const std::string& entry : SchemaOf(kLedgerFormat)) {
    if (IsStatement(entry)) RETURN_IF_ERROR(connection.Execute(entry));
  }
  return connection.Execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kLedgerApplicationId, kLedgerFormat));
}

absl::Status AddBindingsToLedgerTables(SqliteConnection& connection) {
  std::vector<std::string> statements = {"DROP TRIGGER debit_comes_last", "DROP TRIGGER release_comes_last", kBinding};
  for (const auto& triggers : {TriggersAtTheEnd(kNumbered), BindingTriggers()}) {
    statements.insert(statements.end(), triggers.begin(), triggers.end());
  }
  statements.push_back(fmt::format("PRAGMA user_version = {}", kFormat1WithBindings));
  for (const std::string& statement : statements) RETURN_IF_ERROR(connection.Execute(statement));
  return absl::OkStatus();
}

absl::StatusOr<std::int64_t> CheckLedgerTables(SqliteConnection& connection) {
  ASSIGN_OR_RETURN(const std::int64_t pages, connection.QueryInteger("PRAGMA page_count"));
  if (pages == 0) {
    return NotFound("the ledger '{}' is empty: its creation was cut short. Create it again", connection.path());
  }
  ASSIGN_OR_RETURN(const std::int64_t format, FormatOf(connection));
  ASSIGN_OR_RETURN(SqliteStatement entries,
                   connection.Prepare("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY rowid"));
  const absl::Status altered = DataLoss(
      "the tables of the ledger '{}' have been altered: keep the file and find out by whom", connection.path());
  for (const std::string& expected : SchemaOf(format)) {
    ASSIGN_OR_RETURN(const bool found, entries.Next());
    if (!found || entries.Text(0) != expected) return altered;
  }
  ASSIGN_OR_RETURN(const bool more, entries.Next());
  if (more) return altered;
  return format;
}

}  // namespace flaim
