#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "audit/audit.h"
#include "audit/canary.h"
#include "privacy/budget/budget.h"

namespace flaim {

// The methods that can be audited, as they ship, on the tables of a canary:
//   aim                on one table with a ledger on disk. Each run is killed once at one of its first releases (a
//   third
//                      of them between debit and value, a third before anybody saw it, a third after), and goes on
//                      from its ledger with other noise.
//   flaim-once         three clients, one group, noise split as over the network. Twice: by somebody who knows sums
//                      only, and by one of the clients, who knows its own share of the noise.
//   augflaim-private   one client, three rounds: all others tell what they did. Twice: with the noise of the paper's
//                      accounting, and with that of the exact accountant, for a cap of three rounds.
std::vector<std::string> AuditedMethods();

// The subjects of one method and canary. REQUIRES: one of AuditedMethods. An error for a budget that cannot pay for it.
absl::StatusOr<std::vector<Subject>> SubjectsOf(const std::string& method, const Canary& canary,
                                                const PrivacyBudget& budget);

}  // namespace flaim
