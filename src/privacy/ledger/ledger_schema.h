#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "io/sqlite.h"

namespace flaim {

// The tables of a ledger file. docs/LEDGER.md says what the columns mean.

inline constexpr std::int64_t kLedgerApplicationId = 0x464c4c47;  // "FLLG"

// Makes commits durable. With synchronous = FULL a power cut could bring the deleted rollback journal back, which would
// undo a debit whose value was already sent; EXTRA also syncs the folder that the journal was deleted from.
absl::Status ConfigureLedgerConnection(SqliteConnection& connection);

// A file of format 1 that was given the table that it lacked. Its rows, and so their hashes, are as they were.
inline constexpr std::int64_t kFormat1WithBindings = 3;

// In the format of today. REQUIRES: a write transaction on an empty database.
absl::Status CreateLedgerTables(SqliteConnection& connection);

// Makes format 1 that with bindings. REQUIRES: a write transaction on a ledger of format 1.
absl::Status AddBindingsToLedgerTables(SqliteConnection& connection);

// The format, if the database holds exactly the tables, indexes and triggers of a ledger of it, word for word. NotFound
// if it is empty. Nothing else of a file may be trusted before this, since a table could be a view in disguise.
absl::StatusOr<std::int64_t> CheckLedgerTables(SqliteConnection& connection);

}  // namespace flaim
