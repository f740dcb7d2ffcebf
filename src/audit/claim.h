#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/spending/spending.h"
#include "audit/trade_off.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/budget/budget.h"

namespace flaim {

// What is claimed about a subject of an audit: what it may spend, and which errors that rules out. Worked out from what
// a plan lets itself spend, and held against what the user was promised: a plan that spends too much has a claim that
// breaks its promise.
struct Claim {
  PrivacyBudget promised;
  double delta = 0;  // of all that may be released, at the promised epsilon
  Rho rho;
  TradeOff curve;
  // Of mu: how much of the claim there is to be found, where all of it is noisy counts whose sensitivity the record
  // uses. Then the audit must come near it. 0 where that is not known.
  double attained = 0;
};

// Of whatever costs at most rho in zCDP.
Claim ClaimOfRho(const PrivacyBudget& promised, Rho rho);
// Of a schedule that is fixed in advance, by the exact accountant.
absl::StatusOr<Claim> ClaimOfSchedule(const PrivacyBudget& promised, const std::vector<Step>& steps);

// Of one participation in FLAIM-Once, the plan's next, with noise in shares: all one-ways and so many watched
// marginals.
absl::StatusOr<Claim> ClaimOfOnce(const PrivacyBudget& promised, const SpendingPlan& plan, int attributes,
                                  std::size_t watched);
// What is attained of it by whoever knows nobody's noise, where three bring along shares of which two would do.
inline const double kAttainedByStrangers = std::sqrt(2.0 / 3.0);

}  // namespace flaim
