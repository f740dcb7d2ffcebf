#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "privacy/ledger/ledger_row.h"

namespace flaim {

// What has been paid and released under one name.
struct ReleaseHistory {
  std::int64_t attempts = 0;
  std::int64_t latest_debit = 0;  // sequence number
  Charge latest_charge;
  std::int64_t release = 0;  // sequence number, 0 while there is none
};

// The rules of the ledger, and where it stands after a number of rows. The one that writes rows and the one that
// verifies them use the same rules, so a row that is written can always be read back.
//
// Rules: the terms come first; sequence numbers have no gaps; each row's hash covers the row before; a debit costs what
// its mechanism costs, adds that to all earlier ones, and stays within the total; where the terms name the exact
// accountant's run, it pays for that run; a name that has its value is never paid again; a release belongs to the
// latest debit of its name, is the only one of it, and has the form that the mechanism produces; a run is bound to rows
// once.
//
// A file of format 1 does not name its accountant. If its total is more than zCDP affords, a study made it for the
// exact accountant, whose run is the one that paid first. If that was no study, or nobody has paid, it is no run's, and
// nobody may spend it.
class LedgerState {
 public:
  // OK if `row` may follow. The message names the row.
  absl::Status Check(const LedgerRow& row) const;
  // Checks, then takes the row in.
  absl::Status Apply(const LedgerRow& row);

  // `entry` as the row that comes next.
  LedgerRow NextRow(LedgerEntry entry, std::int64_t time_us) const;
  // The debit that pays for `charge`. Refuses what costs more than is left, and a name that has its value.
  absl::StatusOr<DebitEntry> Pay(const Charge& charge) const;

  // Null if the run was never bound to rows.
  const BindingEntry* BindingOf(const std::string& run) const;

  // REQUIRES: the terms have been applied.
  const LedgerTerms& terms() const { return *terms_; }
  Rho spent() const { return spent_; }
  Rho left() const { return terms().total - spent_; }
  Rho SpentBy(const std::string& run) const;

  bool HasReleasesOf(const std::string& run) const;

  // Number of rows, which is the sequence number of the next.
  std::int64_t size() const { return static_cast<std::int64_t>(hashes_.size()); }
  std::int64_t debits() const { return static_cast<std::int64_t>(debit_names_.size()); }
  std::int64_t releases() const { return secure_releases_ + seeded_releases_; }
  std::int64_t secure_releases() const { return secure_releases_; }
  // With noise from a seed: NOT private.
  std::int64_t seeded_releases() const { return seeded_releases_; }
  // Of all debits, in their order.
  const std::vector<Mechanism>& mechanisms() const { return mechanisms_; }
  // Of the row before `sequence`; all zeros before the first.
  LedgerHash HashBefore(std::int64_t sequence) const;
  LedgerHash head() const { return HashBefore(size()); }
  bool Contains(const LedgerHash& hash) const;

  // Null if nothing was ever paid under this name.
  const ReleaseHistory* Find(const ReleaseName& name) const;
  // The name that a debit belongs to, and null if there is no such debit.
  const ReleaseName* NameOfDebit(std::int64_t debit) const;

 private:
  absl::Status CheckEntry(const LedgerTerms& terms) const;
  absl::Status CheckEntry(const DebitEntry& debit) const;
  absl::Status CheckEntry(const ReleaseEntry& release) const;
  absl::Status CheckEntry(const BindingEntry& binding) const;
  void Take(std::int64_t sequence, const LedgerTerms& terms);
  void Take(std::int64_t sequence, const DebitEntry& debit);
  void Take(std::int64_t sequence, const ReleaseEntry& release);
  void Take(std::int64_t sequence, const BindingEntry& binding);

  std::optional<LedgerTerms> terms_;
  Rho spent_;
  std::map<std::string, Rho> spent_by_run_;
  std::map<std::string, BindingEntry> bindings_;
  std::set<std::string> released_runs_;
  std::vector<Mechanism> mechanisms_;
  std::int64_t secure_releases_ = 0;
  std::int64_t seeded_releases_ = 0;
  std::vector<LedgerHash> hashes_;
  std::map<ReleaseName, ReleaseHistory> names_;
  std::map<std::int64_t, ReleaseName> debit_names_;
};

}  // namespace flaim
