#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "app/ledger/ledger_registry.h"
#include "cli/console.h"
#include "rows/open/open_rows.h"

namespace CLI {
class App;
}

namespace flaim {

// Where rows have their account, as the flags of `fit`, `measure` and `site approve` say it.
struct AccountFlags {
  std::string path;
  bool is_separate = false;
};

// --ledger and --separate-ledger.
void AddAccountFlags(CLI::App& command, const std::string& default_path, AccountFlags& flags);

// Refuses rows without a ledger and with a second one. `data` is empty where the rows are in a database.
absl::StatusOr<std::string> LedgerPathOf(const AccountFlags& flags, const std::string& data);

// What ledger and registry call rows.
NamedRows NameOf(const RowsLocation& location);

// Warns of what ChargeInRegistry() found, or says that no record is kept.
void WarnOfOtherLedgers(const absl::StatusOr<std::vector<std::string>>& others, Console& console);

}  // namespace flaim
