#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "app/ledger/ledger_registry.h"
#include "base/clock.h"
#include "privacy/ledger/ledger.h"

namespace flaim {

// Where rows and their account are, as their owner says it.
struct AccountPlace {
  std::string data;    // the path of the rows; empty where they are in no file
  std::string ledger;  // empty: beside the rows
  bool is_separate = false;
};

// The path of the account: the one given, or DATA.ledger, beside the file itself where DATA is a link to it. A budget
// hangs on people, and this keeps it from hanging on names: rows without a place of their own (a stream, a database)
// need a ledger by name, and rows that have one get no other unless the account is said to be separate. They have one
// if it is beside them, or beside the link, or if the user's registry knows that they were charged to it and it is
// still there. Does not see a copy of the rows; see LedgerRegistry.
absl::StatusOr<std::string> LedgerPathFor(const AccountPlace& place,
                                          const std::optional<std::string>& registry = LedgerRegistry::DefaultFolder());

// The ledger of private rows; made with this budget if there is none. One that exists keeps its own terms: the budget
// belongs to the data, not to the command. Refuses, before anything is paid, a ledger that belongs to the plan of one
// run, and one that has releases with the other kind of noise.
absl::StatusOr<Ledger> OpenDataLedger(const std::string& path, const std::string& data, const PrivacyBudget& budget,
                                      bool is_seeded, const Clock& clock);

}  // namespace flaim
