#include "privacy/ledger/ledger_book.h"

#include <unistd.h>

#include "base/check.h"
#include "base/status.h"

namespace flaim {

std::int64_t MicrosecondsNow(const Clock& clock) {
  return std::chrono::duration_cast<std::chrono::microseconds>(clock.Now().time_since_epoch()).count();
}

LedgerBook::LedgerBook(LedgerFile file, const Clock& clock)
    : file_(std::move(file)), clock_(&clock), process_(::getpid()) {}

absl::StatusOr<std::shared_ptr<LedgerBook>> LedgerBook::Open(const std::string& path, const Clock& clock,
                                                             std::chrono::milliseconds wait) {
  ASSIGN_OR_RETURN(LedgerFile file, LedgerFile::Open(path, wait));
  if (file.IsReadOnly()) {
    return absl::PermissionDeniedError(
        fmt::format("the ledger '{}' may only be read, so nothing can be paid: make it writable for you", path));
  }
  std::shared_ptr<LedgerBook> book(new LedgerBook(std::move(file), clock));
  ASSIGN_OR_RETURN(const SqliteTransaction transaction, book->file_.Begin(SqliteTransaction::Kind::kRead));
  RETURN_IF_ERROR(book->file_.CatchUp(book->state_));
  return book;
}

absl::StatusOr<LedgerBook::Paid> LedgerBook::Pay(const Charge& charge) {
  CheckProcess();
  RETURN_IF_ERROR(CheckCharge(charge));
  ASSIGN_OR_RETURN(SqliteTransaction transaction, file_.Begin(SqliteTransaction::Kind::kWrite));
  RETURN_IF_ERROR(file_.CatchUp(state_));
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
  return Append(std::move(release), std::move(transaction));
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
