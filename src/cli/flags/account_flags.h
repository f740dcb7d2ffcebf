#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "cli/console.h"

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

// Puts on record, on this machine, that the rows are charged to this ledger, and warns if much the same rows were
// charged to others.
void WarnOfOtherLedgers(const std::string& ledger, const std::string& data, Console& console);

}  // namespace flaim
