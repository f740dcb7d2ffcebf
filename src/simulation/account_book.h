#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "privacy/budget/charge.h"
#include "privacy/ledger/release_journal.h"
#include "privacy/ledger/release_name.h"
#include "privacy/ledger/spend.h"

namespace flaim {

// Which of many accounts.
using AccountIndex = std::uint32_t;

// A debit that each of several accounts has paid: the contributors of one sum, or clients that each released something
// of their own under the same terms.
struct SharedDebit {
  ReleaseName name;
  Mechanism mechanism;
  Rho cost;  // to each payer
  std::vector<AccountIndex> payers;
};

// The accounts of many simulated clients, in memory: a million clients would be a million ledger files. The rules are
// those of the Ledger, without its promises about crashes: whoever is asked to contribute pays first, nobody pays more
// than the allowance, and a name is released once.
//
// For research and tests only: nothing here outlives the program, so a second program could spend everything again.
// Not thread-safe.
class AccountBook {
 public:
  AccountBook(std::size_t accounts, Rho allowance);
  // A copy could spend everything again.
  AccountBook(const AccountBook&) = delete;
  AccountBook& operator=(const AccountBook&) = delete;

  // What one release costs, debited from every payer or, if one of them cannot pay, from none: ResourceExhausted.
  // AlreadyExists if the name was used before; InvalidArgument if nobody pays. REQUIRES: payers are distinct and below
  // size().
  absl::StatusOr<Spend<GaussianMechanism>> Debit(std::span<const AccountIndex> payers, const ReleaseName& name,
                                                 const GaussianMechanism& mechanism);
  absl::StatusOr<Spend<ExponentialMechanism>> Debit(std::span<const AccountIndex> payers, const ReleaseName& name,
                                                    const ExponentialMechanism& mechanism);
  // The same for releases that each payer makes for itself: one receipt for each, so none if nobody pays.
  absl::StatusOr<std::vector<Spend<GaussianMechanism>>> DebitEach(std::span<const AccountIndex> payers,
                                                                  const ReleaseName& name,
                                                                  const GaussianMechanism& mechanism);
  absl::StatusOr<std::vector<Spend<ExponentialMechanism>>> DebitEach(std::span<const AccountIndex> payers,
                                                                     const ReleaseName& name,
                                                                     const ExponentialMechanism& mechanism);

  std::size_t size() const { return spent_.size(); }
  Rho allowance() const { return allowance_; }
  Rho spent(AccountIndex account) const { return spent_[account]; }
  Rho MostSpent() const;
  std::span<const SharedDebit> debits() const { return debits_; }

 private:
  absl::Status Pay(std::span<const AccountIndex> payers, const ReleaseName& name, const Mechanism& mechanism);
  template <typename MechanismType>
  absl::StatusOr<Spend<MechanismType>> PayTogether(std::span<const AccountIndex> payers, const ReleaseName& name,
                                                   const MechanismType& mechanism);
  template <typename MechanismType>
  Spend<MechanismType> Receipt(const MechanismType& mechanism) const;
  template <typename MechanismType>
  absl::StatusOr<std::vector<Spend<MechanismType>>> PayEach(std::span<const AccountIndex> payers,
                                                            const ReleaseName& name, const MechanismType& mechanism);

  Rho allowance_;
  std::vector<Rho> spent_;
  std::vector<SharedDebit> debits_;
  std::set<ReleaseName> names_;
  std::shared_ptr<ReleaseJournal> journal_;
};

}  // namespace flaim
