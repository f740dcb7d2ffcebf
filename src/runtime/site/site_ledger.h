#pragma once

#include <string>

#include "privacy/ledger/ledger.h"
#include "runtime/study/study.h"

namespace flaim::runtime {

// The terms of a ledger that is made for a study's rows. With the zCDP accountant others may go on spending what the
// study leaves; with the exact one the whole promise belongs to the study, and the ledger says so.
LedgerTerms SiteLedgerTerms(const Study& study, const std::string& data_name);

// Opens as one who follows the study's plan, which SiteAccount sees to.
LedgerOptions FollowingPlanOf(const Study& study);

// OK if the study may spend this ledger, with its noise: one that everybody may spend, or its own, made for this very
// budget. ResourceExhausted if it cannot pay for the whole of a plan that is of no use in parts.
absl::Status CheckStudyMaySpend(const Study& study, const Ledger& ledger);

}  // namespace flaim::runtime
