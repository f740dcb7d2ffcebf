#include "privacy/ledger/ledger_report.h"

#include "base/status.h"
#include "io/hex.h"
#include "privacy/ledger/ledger_file.h"
#include "privacy/ledger/ledger_state.h"

namespace flaim {
namespace {

LedgerSummary Summarize(const LedgerState& state) {
  return {.terms = state.terms(),
          .spent = state.spent(),
          .left = state.left(),
          .debits = state.debits(),
          .releases = state.releases(),
          .head = state.head()};
}

absl::StatusOr<LedgerState> Replay(LedgerFile& file) {
  LedgerState state;
  RETURN_IF_ERROR(file.CatchUp(state));
  RETURN_IF_ERROR(file.CheckPages());
  return state;
}

}  // namespace

absl::StatusOr<LedgerSummary> VerifyLedger(const std::string& path, const std::optional<LedgerHash>& noted_head,
                                           const LedgerOptions& options) {
  ASSIGN_OR_RETURN(LedgerFile file, LedgerFile::Open(path, options.wait));
  ASSIGN_OR_RETURN(const SqliteTransaction transaction, file.Begin(SqliteTransaction::Kind::kRead));
  ASSIGN_OR_RETURN(const LedgerState state, Replay(file));
  if (noted_head.has_value() && !state.Contains(*noted_head)) {
    return DataLoss("no row of the ledger '{}' has the noted hash {}: rows were removed or rewritten since", path,
                    ToHex(*noted_head));
  }
  return Summarize(state);
}

absl::StatusOr<LedgerReport> ReadLedger(const std::string& path, const LedgerOptions& options) {
  ASSIGN_OR_RETURN(LedgerFile file, LedgerFile::Open(path, options.wait));
  ASSIGN_OR_RETURN(const SqliteTransaction transaction, file.Begin(SqliteTransaction::Kind::kRead));
  ASSIGN_OR_RETURN(const LedgerState state, Replay(file));
  LedgerReport report{.summary = Summarize(state), .rows = {}};
  for (std::int64_t sequence = 0; sequence < state.size(); ++sequence) {
    ASSIGN_OR_RETURN(std::optional<LedgerRow> row, file.Read(sequence));
    if (!row.has_value()) return DataLoss("row {} vanished while the ledger '{}' was read", sequence, path);
    report.rows.push_back(*std::move(row));
  }
  return report;
}

}  // namespace flaim
