#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/loop/insider.h"
#include "algorithms/methods/method.h"
#include "algorithms/plan/run_plan.h"
#include "algorithms/spending/spending.h"
#include "privacy/budget/budget.h"
#include "simulation/research/oracle.h"

namespace flaim {

// The paper's methods as the published code runs them, for comparisons. NOT private as claimed: it
//
//   - takes scores of clients at half their sensitivity: twice the epsilon, at four times the cost;
//   - measures the one-way marginals before the first round at no price where every round pays for them again, and
//     does not pay for what clients measure between local steps;
//   - knows the true number of rows;
//   - scales a marginal by its noisy sum, which flips its sign where that is negative;
//   - chooses before it takes in the one-way marginals of the round.

// Refuses methods of which there is no published code.
absl::Status CheckHasPublishedCode(const Method& method);

// How it spends. A client is asked for more than the budget: client_terms() says how much that is.
absl::StatusOr<std::unique_ptr<SpendingPlan>> MakePublishedSpending(const Method& method, const PrivacyBudget& budget,
                                                                    int attributes);

// Makes the plan one of the published code, and says so in its title. REQUIRES: not a draft.
absl::Status RunAsPublished(RunPlan& plan, int attributes);

// How it learns. The oracle must outlive it.
std::unique_ptr<Insider> MakePublishedInsider(const Oracle& oracle);

}  // namespace flaim
