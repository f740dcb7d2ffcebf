#include "privacy/ledger/ledger_book.h"

#include <unistd.h>

#include "base/check.h"
#include "base/provenance.h"
#include "base/status.h"

namespace flaim {

std::int64_t MicrosecondsNow(const Clock& clock) {
  return std::chrono::duration_cast<std::chrono::microseconds>(clock.Now().time_since_epoch()).count();
}

absl::Status CheckSpendableByAll(const std::string& path, const LedgerTerms& terms) {
  if (!terms.exact_run) return absl::OkStatus();
  if (terms.exact_run->empty()) {
    return FailedPrecondition(
        "the ledger '{}' was made for the exact accountant by an older version, and does not say for which run, so "
        "nobody may spend it. Nothing was spent: remove it, and make a new one",
        path);
  }
  return FailedPrecondition(
      "the ledger '{}' belongs to the run '{}': its promise was given whole to that plan, by the exact accountant, and "
      "nobody else may spend it",
      path, *terms.exact_run);
}

absl::Status CheckSpendableBy(const std::string& plan_of_run, const std::string& path, const LedgerState& state) {
  if (plan_of_run.empty() || state.terms().exact_run != plan_of_run) return CheckSpendableByAll(path, state.terms());
  if (state.SpentBy(plan_of_run) == state.spent()) return absl::OkStatus();
  return FailedPrecondition(
      "the ledger '{}' was promised whole to the plan of the run '{}', but others have spent it, too: that promise is "
      "broken, and nobody may spend any more",
      path, plan_of_run);
}

absl::Status CheckSameNoise(const std::string& path, const LedgerState& state, bool is_secure) {
  if (is_secure && state.seeded_releases() > 0) {
    return FailedPrecondition(
        "the ledger '{}' holds releases whose noise came from a seed, so what it promises is NOT PRIVATE already: a "
        "promise needs a ledger without such releases",
        path);
  }
  if (!is_secure && state.secure_releases() > 0) {
    return FailedPrecondition(
        "the ledger '{}' keeps a promise with secure noise, which noise from a seed would break: give research a "
        "ledger of its own, of public rows",
        path);
  }
  return absl::OkStatus();
}

LedgerBook::LedgerBook(LedgerFile file, const Clock& clock, std::string plan_of_run)
    : file_(std::move(file)), clock_(&clock), plan_of_run_(std::move(plan_of_run)), process_(::getpid()) {}

absl::StatusOr<std::shared_ptr<LedgerBook>> LedgerBook::Open(const std::string& path, const Clock& clock,
                                                             std::chrono::milliseconds wait, std::string plan_of_run) {
  ASSIGN_OR_RETURN(LedgerFile file, LedgerFile::Open(path, wait));
  if (file.IsReadOnly()) {
    return absl::PermissionDeniedError(
        fmt::format("the ledger '{}' may only be read, so nothing can be paid: make it writable for you", path));
  }
  std::shared_ptr<LedgerBook> book(new LedgerBook(std::move(file), clock, std::move(plan_of_run)));
  RETURN_IF_ERROR(book->CatchUpFirst());
  return book;
}

absl::Status LedgerBook::CatchUpFirst() {
  {
    ASSIGN_OR_RETURN(const SqliteTransaction transaction, file_.Begin(SqliteTransaction::Kind::kRead));
    RETURN_IF_ERROR(file_.CatchUp(state_));
  }
  return file_.AddBindings();
}

absl::StatusOr<LedgerBook::Paid> LedgerBook::Pay(const Charge& charge) {
  CheckProcess();
  RETURN_IF_ERROR(CheckCharge(charge));
  ASSIGN_OR_RETURN(SqliteTransaction transaction, file_.Begin(SqliteTransaction::Kind::kWrite));
  RETURN_IF_ERROR(file_.CatchUp(state_));
  RETURN_IF_ERROR(CheckMayPay(charge));
  const ReleaseHistory* history = state_.Find(NameOf(charge));
  if (history != nullptr && history->release != 0) return Recorded(charge, *history);
  ASSIGN_OR_RETURN(DebitEntry debit, state_.Pay(charge));
  const std::int64_t sequence = state_.size();
  RETURN_IF_ERROR(Append(std::move(debit), std::move(transaction)));
  return Paid{.debit = sequence, .recorded = std::nullopt};
}

absl::Status LedgerBook::Record(ReleaseEntry release) {
  CheckProcess();
  ASSIGN_OR_RETURN(SqliteTransaction transaction, file_.Begin(SqliteTransaction::Kind::kWrite));
  RETURN_IF_ERROR(file_.CatchUp(state_));
  const ReleaseName* name = state_.NameOfDebit(release.debit);
  CHECK(name != nullptr, "a value for row {}, which is no debit", release.debit);
  const ReleaseHistory& history = *state_.Find(*name);
  if (history.latest_debit != release.debit || history.release != 0) {
    return absl::AbortedError(fmt::format(
        "{} was paid again or released by another process meanwhile, so this value is dropped: run again to get the "
        "recorded one",
        name->ToString()));
  }
  RETURN_IF_ERROR(CheckSameNoise(file_.path(), state_, IsSecureProvenance(release.provenance)));
  return Append(std::move(release), std::move(transaction));
}

absl::Status LedgerBook::Bind(BindingEntry binding) {
  CheckProcess();
  RETURN_IF_ERROR(CheckBinding(binding));
  ASSIGN_OR_RETURN(SqliteTransaction transaction, file_.Begin(SqliteTransaction::Kind::kWrite));
  RETURN_IF_ERROR(file_.CatchUp(state_));
  const BindingEntry* bound = state_.BindingOf(binding.run);
  if (bound == nullptr && state_.HasReleasesOf(binding.run)) {
    return FailedPrecondition(
        "the ledger '{}' has values of the run '{}', but does not say of which rows, so they are not given back for "
        "these: give the run another name, which is paid anew",
        file_.path(), binding.run);
  }
  if (bound == nullptr) return Append(std::move(binding), std::move(transaction));
  if (bound->key != binding.key) {
    return absl::AbortedError(
        fmt::format("another process began the run '{}' at the same moment: run again", binding.run));
  }
  if (bound->digest == binding.digest) return absl::OkStatus();
  return FailedPrecondition(
      "the ledger '{}' knows the run '{}', but of other rows than these, which were not paid for: give rows of other "
      "people a ledger of their own; if these rows have changed since, give the run another name, which is paid anew",
      file_.path(), binding.run);
}

// The exact accountant vouches for the releases of one plan, which only its own run follows.
absl::Status LedgerBook::CheckMayPay(const Charge& charge) const {
  if (charge.run != plan_of_run_) return CheckSpendableByAll(file_.path(), state_.terms());
  return CheckSpendableBy(plan_of_run_, file_.path(), state_);
}

absl::StatusOr<LedgerBook::Paid> LedgerBook::Recorded(const Charge& charge, const ReleaseHistory& history) {
  if (charge != history.latest_charge) {
    return FailedPrecondition(
        "{} was released with other parameters ({}) than are asked for now ({}): use another run name, which is paid "
        "anew",
        NameOf(charge).ToString(), ToString(history.latest_charge.mechanism), ToString(charge.mechanism));
  }
  ASSIGN_OR_RETURN(std::optional<LedgerRow> row, file_.Read(history.release));
  if (!row.has_value() || row->hash != HashOf(state_.HashBefore(history.release), *row)) {
    return DataLoss("row {} of the ledger '{}' was altered while it was open", history.release, file_.path());
  }
  return Paid{.debit = history.latest_debit, .recorded = std::get<ReleaseEntry>(std::move(row->entry))};
}

absl::Status LedgerBook::Append(LedgerEntry entry, SqliteTransaction transaction) {
  const LedgerRow row = state_.NextRow(std::move(entry), MicrosecondsNow(*clock_));
  RETURN_IF_ERROR(state_.Check(row));
  RETURN_IF_ERROR(file_.Insert(row));
  RETURN_IF_ERROR(transaction.Commit());
  return state_.Apply(row);
}

void LedgerBook::CheckProcess() const {
  CHECK(process_ == ::getpid(), "a ledger was opened before a fork() and used after it: open it in the child");
}

}  // namespace flaim
