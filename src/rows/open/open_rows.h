#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "base/progress.h"
#include "data/schema/schema.h"
#include "data/schema/unfit_rule.h"
#include "marginal/private_rows.h"

namespace flaim {

// Where private rows are.
struct CsvRows {
  std::string path;  // plain or compressed
};
struct PostgresRows {
  std::string connection;  // as libpq has it: "host=... dbname=...", or a URI. Passwords belong into ~/.pgpass
  std::string table;       // [schema.]table or view
  // Counts in the database, instead of reading the table once into memory.
  bool counts_in_database = false;
};
using RowsLocation = std::variant<CsvRows, PostgresRows>;

// "patients.csv", or "postgresql://... table=patients": for people, without passwords.
std::string Describe(const RowsLocation& location);

struct OpenedRows {
  std::unique_ptr<PrivateRows> rows;
  // How many rows have a value that does not fit. For their owner alone: it is exact.
  std::int64_t unfit_rows = 0;
};

// Opens the rows, read-only and as of one moment: all answers are about the same rows, also if the table changes
// meanwhile. Values that are missing, unknown or out of bounds go where the rule says, or are refused with the same
// words, whatever the location.
absl::StatusOr<OpenedRows> OpenRows(const RowsLocation& location, const Schema& schema, UnfitRule unfit,
                                    ProgressSink& progress);

// Whether the message of an error of OpenRows or of the rows themselves may quote a value of a row or say how many
// there are. Such a message is for the owner of the rows; others are told only that there was an error.
bool IsForOwnerOnly(const absl::Status& status);

}  // namespace flaim
