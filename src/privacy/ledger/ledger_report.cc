#include "privacy/ledger/ledger_report.h"

#include <algorithm>

#include "base/status.h"
#include "io/hex.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger_file.h"
#include "privacy/ledger/ledger_state.h"

namespace flaim {
namespace {

bool IsOfExactPlan(const LedgerState& state) {
  const std::optional<std::string>& run = state.terms().exact_run;
  return run && state.spent() > Rho() && state.SpentBy(*run) == state.spent();
}

// Plans of the exact accountant belong to sites, which bring their noise along in shares.
Step StepOf(const GaussianMechanism& mechanism) { return SplitGaussian{mechanism}; }
Step StepOf(const ExponentialMechanism& mechanism) { return mechanism; }

std::vector<Step> StepsOf(const LedgerState& state) {
  std::vector<Step> steps;
  for (const Mechanism& mechanism : state.mechanisms()) {
    steps.push_back(std::visit([](const auto& release) { return StepOf(release); }, mechanism));
  }
  return steps;
}

// Compares what was spent with the promise.
void Account(const LedgerState& state, LedgerSummary& summary) {
  const PrivacyBudget& budget = state.terms().budget;
  summary.epsilon_spent = EpsilonOf(state.spent(), budget.delta());
  summary.is_within_promise = IsAffordedByZcdp(state.spent(), budget);
  if (!IsOfExactPlan(state)) return;
  const std::vector<Step> steps = StepsOf(state);
  const absl::StatusOr<double> epsilon = ExactEpsilon(steps, budget.delta());
  const absl::StatusOr<double> delta = BestDelta(steps, budget.epsilon());
  if (!epsilon.ok() || !delta.ok()) return;  // a schedule beyond the exact accountant: what zCDP says holds
  summary.epsilon_spent = std::min(summary.epsilon_spent, *epsilon);
  summary.is_within_promise = *delta <= budget.delta();
}

LedgerSummary Summarize(const LedgerState& state) {
  LedgerSummary summary{.terms = state.terms(),
                        .spent = state.spent(),
                        .left = state.left(),
                        .debits = state.debits(),
                        .releases = state.releases(),
                        .seeded_releases = state.seeded_releases(),
                        .head = state.head()};
  Account(state, summary);
  return summary;
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
