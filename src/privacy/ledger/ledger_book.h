#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "privacy/ledger/ledger_file.h"
#include "privacy/ledger/ledger_state.h"
#include "privacy/ledger/release_journal.h"

namespace flaim {

// An open ledger: the file, and what it says up to the last row that was looked at. Shared by the Ledger that people
// call and by the Spends that it handed out, so that a Spend can record its value whatever became of the Ledger.
//
// Every operation is one transaction that first takes in what other processes wrote. One thread at a time; CHECKs
// that it is not used on both sides of a fork(), which would corrupt the file.
class LedgerBook final : public ReleaseJournal {
 public:
  // A debit that is in the file, and its value if that is there too.
  struct Paid {
    std::int64_t debit = 0;
    std::optional<ReleaseEntry> recorded;
  };

  // `plan_of_run` is the run whose plan the opener follows, for ledgers of the exact accountant.
  static absl::StatusOr<std::shared_ptr<LedgerBook>> Open(const std::string& path, const Clock& clock,
                                                          std::chrono::milliseconds wait, std::string plan_of_run);
  LedgerBook(const LedgerBook&) = delete;
  LedgerBook& operator=(const LedgerBook&) = delete;

  const std::string& path() const { return file_.path(); }
  const LedgerState& state() const { return state_; }

  absl::StatusOr<Paid> Pay(const Charge& charge);
  absl::Status Record(ReleaseEntry release) override;
  absl::Status Bind(BindingEntry binding);

 private:
  LedgerBook(LedgerFile file, const Clock& clock, std::string plan_of_run);

  absl::Status CatchUpFirst();
  absl::Status CheckMayPay(const Charge& charge) const;

  absl::StatusOr<Paid> Recorded(const Charge& charge, const ReleaseHistory& history);
  absl::Status Append(LedgerEntry entry, SqliteTransaction transaction);
  void CheckProcess() const;

  LedgerFile file_;
  const Clock* clock_;
  std::string plan_of_run_;
  pid_t process_;
  LedgerState state_;
};

std::int64_t MicrosecondsNow(const Clock& clock);

// FailedPrecondition if the ledger belongs to one run, with the exact accountant.
absl::Status CheckSpendableByAll(const std::string& path, const LedgerTerms& terms);
// The same unless it is this run. That others have spent its ledger is possible in files of format 1.
absl::Status CheckSpendableBy(const std::string& plan_of_run, const std::string& path, const LedgerState& state);
// FailedPrecondition if the ledger holds releases with noise of the other kind.
absl::Status CheckSameNoise(const std::string& path, const LedgerState& state, bool is_secure);

}  // namespace flaim
