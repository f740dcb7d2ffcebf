#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "privacy/ledger/ledger.h"

namespace flaim {

// The ledger of a data file; made with this budget if there is none. One that exists keeps its own terms: the budget
// belongs to the data, not to the command.
absl::StatusOr<Ledger> OpenDataLedger(const std::string& path, const std::string& data, const PrivacyBudget& budget,
                                      const Clock& clock);

}  // namespace flaim
