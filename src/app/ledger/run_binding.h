#pragma once

#include <string>

#include "absl/status/status.h"
#include "base/parallel.h"
#include "marginal/private_rows.h"
#include "privacy/ledger/ledger.h"

namespace flaim {

// A keyed digest of rows: of the counts of every column and, where rows can be asked for any counts, of every pair of
// neighbouring columns that is not too large. The same for the same rows in whatever order and wherever they are
// counted. Exact counts go in, so it is as private as the rows: it belongs into their ledger and nowhere else.
absl::StatusOr<LedgerHash> DigestOf(PrivateRows& rows, const LedgerHash& key, Parallel& parallel);

// Ties a run to its rows before it pays. Runs are named after their settings, so without this the same fit of another
// table, paid from the same ledger, would get the first table's model. FailedPrecondition if the run is on record for
// other rows. Does not tell apart tables that agree in all counts of the digest.
absl::Status BindRun(Ledger& ledger, const std::string& run, PrivateRows& rows, Parallel& parallel);

}  // namespace flaim
