#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "rows/open/open_rows.h"

namespace CLI {
class App;
}

namespace flaim {

// Where private rows are, as the flags of `fit` and of `site approve` say it.
struct RowsFlags {
  std::string csv;
  std::string postgres;
  std::string table;
  bool counts_in_database = false;
};

// --postgres and --table.
void AddPostgresFlags(CLI::App& command, RowsFlags& flags);

// Refuses none, two places, and half of one.
absl::StatusOr<RowsLocation> LocationOf(const RowsFlags& flags);

}  // namespace flaim
