#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "privacy/ledger/ledger_row.h"
#include "privacy/ledger/release_name.h"
#include "privacy/ledger/spend.h"

namespace flaim {

class LedgerBook;

struct LedgerOptions {
  // How long to wait for another process that holds the ledger, before giving up with an error.
  std::chrono::milliseconds wait{10'000};
  // The run whose plan the opener follows, release by release. Only such an opener may spend a ledger that belongs to
  // this run and the exact accountant; a ledger of the zCDP accountant may be spent by everybody.
  std::string plan_of_run = {};
};

// The account of one body of private data, in a file that outlives the runs on it. Whoever wants to release something
// pays here first; the file is append-only and hash-chained (docs/LEDGER.md).
//
// Guarantees: a debit is on disk before Debit returns, so before noise is drawn. The debits never exceed the total of
// the terms, and where these name the exact accountant, only its run pays. Releases with secure noise and with noise
// from a seed never share a ledger. Under one name at most one value is ever released, also across crashes and
// processes: a run that is repeated gets its recorded values back and pays only for what is new. A debit whose value
// was lost in a crash stays spent, and is paid again.
//
// Several processes may share the file. An object is for one thread, and for one side of a fork(). The clock must
// outlive the ledger and its Spends. Does not cover: a file that is replaced by an older copy (keep the head elsewhere
// and hand it to VerifyLedger), a disk that loses what it reported as written, and network file systems without locks.
class Ledger {
 public:
  // Makes the file, readable by its owner only. AlreadyExists if there is a file with anything in it.
  static absl::StatusOr<Ledger> Create(const std::string& path, const LedgerTerms& terms, const Clock& clock,
                                       const LedgerOptions& options = {});
  // Verifies the whole chain. NotFound if there is none, PermissionDenied if it cannot be written.
  static absl::StatusOr<Ledger> Open(const std::string& path, const Clock& clock, const LedgerOptions& options = {});
  // Opens the ledger if there is one, and refuses if its terms differ.
  static absl::StatusOr<Ledger> OpenOrCreate(const std::string& path, const LedgerTerms& terms, const Clock& clock,
                                             const LedgerOptions& options = {});

  const LedgerTerms& terms() const;
  // As of the last time that this object looked at the file.
  Rho spent() const;
  Rho left() const;
  // By all debits of one run.
  Rho SpentBy(const std::string& run) const;
  LedgerHash head() const;
  // FailedPrecondition unless any run may spend, whatever it releases: a ledger of the exact accountant belongs to one.
  absl::Status CheckSpendableByAll() const;
  // The same for whoever follows the plan of this run. Where the ledger is the run's own, nobody else may have spent
  // it.
  absl::Status CheckSpendableBy(const std::string& plan_of_run) const;
  // FailedPrecondition if the ledger holds releases with the other kind of noise. Recording such a value is refused as
  // well, but by then it is paid for.
  absl::Status CheckNoise(bool is_secure) const;

  // The key under which the rows of a run are to be digested: a new one if the run was never bound.
  LedgerHash BindingKey(const std::string& run) const;
  // Ties a run to the rows that it is about, so that its values never come back for others. FailedPrecondition if it
  // is tied to other rows, and if it has values, but nobody noted of which rows.
  absl::Status BindRun(const std::string& run, const LedgerHash& key, const LedgerHash& digest);

  // How often was paid under this name: all but the last were lost.
  std::int64_t Attempts(const ReleaseName& name) const;
  bool HasDebit(const ReleaseName& name) const { return Attempts(name) > 0; }
  // Whether a debit under this name would be free, because its value is there already.
  bool HasValue(const ReleaseName& name) const;
  // What was paid for the value under this name; nothing while there is none.
  std::optional<Mechanism> RecordedMechanism(const ReleaseName& name) const;

  // Pays. If the name has its value already, from this or an earlier process, nothing is paid and the Spend carries
  // that value; FailedPrecondition if the mechanism then differs. ResourceExhausted if too little is left.
  absl::StatusOr<Spend<GaussianMechanism>> Debit(const ReleaseName& name, const GaussianMechanism& mechanism);
  absl::StatusOr<Spend<ExponentialMechanism>> Debit(const ReleaseName& name, const ExponentialMechanism& mechanism);

 private:
  explicit Ledger(std::shared_ptr<LedgerBook> book) : book_(std::move(book)) {}

  template <typename MechanismType>
  absl::StatusOr<Spend<MechanismType>> Pay(const ReleaseName& name, const MechanismType& mechanism);

  std::shared_ptr<LedgerBook> book_;
};

}  // namespace flaim
