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

  static absl::StatusOr<std::shared_ptr<LedgerBook>> Open(const std::string& path, const Clock& clock,
                                                          std::chrono::milliseconds wait);
  LedgerBook(const LedgerBook&) = delete;
  LedgerBook& operator=(const LedgerBook&) = delete;

  const LedgerState& state() const { return state_; }

  absl::StatusOr<Paid> Pay(const Charge& charge);
  absl::Status Record(ReleaseEntry release) override;

 private:
  LedgerBook(LedgerFile file, const Clock& clock);

  absl::StatusOr<Paid> Recorded(const Charge& charge, const ReleaseHistory& history);
  absl::Status Append(LedgerEntry entry, SqliteTransaction transaction);
  void CheckProcess() const;

  LedgerFile file_;
  const Clock* clock_;
  pid_t process_;
  LedgerState state_;
};

std::int64_t MicrosecondsNow(const Clock& clock);

}  // namespace flaim
