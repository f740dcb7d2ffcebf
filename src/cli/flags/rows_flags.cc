#include "cli/flags/rows_flags.h"

#include "CLI/CLI.hpp"
#include "base/status.h"

namespace flaim {

void AddPostgresFlags(CLI::App& command, RowsFlags& flags) {
  command.add_option("--postgres", flags.postgres,
                     "The rows: a PostgreSQL database, as libpq has it (host=... dbname=..., or a URI)");
  command.add_option("--table", flags.table, "The table or view there");
}

absl::StatusOr<RowsLocation> LocationOf(const RowsFlags& flags) {
  if (flags.csv.empty() == flags.postgres.empty()) {
    return InvalidArgument("say where the rows are: a CSV file, or --postgres CONNECTION with --table TABLE");
  }
  if (flags.postgres.empty() != flags.table.empty()) {
    return InvalidArgument("--postgres CONNECTION and --table TABLE belong together");
  }
  if (!flags.csv.empty()) return CsvRows{.path = flags.csv};
  return PostgresRows{
      .connection = flags.postgres, .table = flags.table, .counts_in_database = flags.counts_in_database};
}

}  // namespace flaim
