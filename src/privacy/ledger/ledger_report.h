#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_row.h"

namespace flaim {

// What a ledger says, for people and auditors. Reading needs no right to write, except after a crash, when SQLite
// must first undo the write that was cut short.

struct LedgerSummary {
  LedgerTerms terms;
  Rho spent;
  Rho left;
  std::int64_t debits = 0;
  std::int64_t releases = 0;
  std::int64_t seeded_releases = 0;  // with noise from a seed: then the ledger is NOT PRIVATE
  // What the debits come to at the delta of the promise, by the accountant of the terms, and whether that keeps it. The
  // exact accountant is asked only if every debit belongs to its run; otherwise zCDP is what holds.
  double epsilon_spent = 0;
  bool is_within_promise = true;
  LedgerHash head{};  // note it elsewhere: it proves later that nothing up to here was lost
};

struct LedgerReport {
  LedgerSummary summary;
  std::vector<LedgerRow> rows;  // row 0 holds the terms
};

// Replays the ledger from its first row by the rules of LedgerState, which recompute every hash, cost and sum, and
// lets SQLite check its pages. The error names the first row that is wrong.
//
// Without `noted_head`, the removal of the last rows, or of all, goes unnoticed, as does a file whose writer has
// recomputed all the hashes. With the head of an earlier summary, neither does for the rows up to that head.
absl::StatusOr<LedgerSummary> VerifyLedger(const std::string& path,
                                           const std::optional<LedgerHash>& noted_head = std::nullopt,
                                           const LedgerOptions& options = {});

// Verifies as above, and returns every row. The released values are in memory at once.
absl::StatusOr<LedgerReport> ReadLedger(const std::string& path, const LedgerOptions& options = {});

}  // namespace flaim
