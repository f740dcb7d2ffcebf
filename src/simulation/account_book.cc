#include "simulation/account_book.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/status.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {
namespace {

// Nothing survives the program, so there is nothing to be resent from.
class ForgetfulJournal final : public ReleaseJournal {
 public:
  absl::Status Record(ReleaseEntry) override { return absl::OkStatus(); }
};

bool AreDistinct(std::span<const AccountIndex> payers) {
  std::vector<AccountIndex> sorted(payers.begin(), payers.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

}  // namespace

AccountBook::AccountBook(std::size_t accounts, Rho allowance)
    : allowance_(allowance), spent_(accounts), journal_(std::make_shared<ForgetfulJournal>()) {}

absl::Status AccountBook::Pay(std::span<const AccountIndex> payers, const ReleaseName& name,
                              const Mechanism& mechanism) {
  CHECK(AreDistinct(payers), "an account would pay twice for one release");
  RETURN_IF_ERROR(Validate(mechanism));
  if (names_.contains(name)) {
    return absl::AlreadyExistsError(fmt::format("{} was released before", name.ToString()));
  }
  const Rho cost = CostOf(mechanism);
  for (const AccountIndex payer : payers) {
    CHECK(payer < size());
    if (spent_[payer] + cost <= allowance_) continue;
    return BudgetRefused("{} costs rho {:.6g}, and a client that has spent {:.6g} may spend {:.6g} in all",
                         name.ToString(), cost.ToDouble(), spent_[payer].ToDouble(), allowance_.ToDouble());
  }
  for (const AccountIndex payer : payers) spent_[payer] = spent_[payer] + cost;
  names_.insert(name);
  debits_.push_back({name, mechanism, cost, {payers.begin(), payers.end()}});
  return absl::OkStatus();
}

template <typename MechanismType>
Spend<MechanismType> AccountBook::Receipt(const MechanismType& mechanism) const {
  return Spend<MechanismType>(journal_, mechanism, static_cast<std::int64_t>(debits_.size()), std::nullopt);
}

template <typename MechanismType>
absl::StatusOr<Spend<MechanismType>> AccountBook::PayTogether(std::span<const AccountIndex> payers,
                                                              const ReleaseName& name, const MechanismType& mechanism) {
  if (payers.empty()) return InvalidArgument("nobody pays for {}", name.ToString());
  RETURN_IF_ERROR(Pay(payers, name, mechanism));
  return Receipt(mechanism);
}

template <typename MechanismType>
absl::StatusOr<std::vector<Spend<MechanismType>>> AccountBook::PayEach(std::span<const AccountIndex> payers,
                                                                       const ReleaseName& name,
                                                                       const MechanismType& mechanism) {
  RETURN_IF_ERROR(Pay(payers, name, mechanism));
  std::vector<Spend<MechanismType>> receipts;
  receipts.reserve(payers.size());
  for (std::size_t payer = 0; payer < payers.size(); ++payer) receipts.push_back(Receipt(mechanism));
  return receipts;
}

absl::StatusOr<Spend<GaussianMechanism>> AccountBook::Debit(std::span<const AccountIndex> payers,
                                                            const ReleaseName& name,
                                                            const GaussianMechanism& mechanism) {
  return PayTogether(payers, name, mechanism);
}

absl::StatusOr<Spend<ExponentialMechanism>> AccountBook::Debit(std::span<const AccountIndex> payers,
                                                               const ReleaseName& name,
                                                               const ExponentialMechanism& mechanism) {
  return PayTogether(payers, name, mechanism);
}

absl::StatusOr<std::vector<Spend<GaussianMechanism>>> AccountBook::DebitEach(std::span<const AccountIndex> payers,
                                                                             const ReleaseName& name,
                                                                             const GaussianMechanism& mechanism) {
  return PayEach(payers, name, mechanism);
}

absl::StatusOr<std::vector<Spend<ExponentialMechanism>>> AccountBook::DebitEach(std::span<const AccountIndex> payers,
                                                                                const ReleaseName& name,
                                                                                const ExponentialMechanism& mechanism) {
  return PayEach(payers, name, mechanism);
}

Rho AccountBook::MostSpent() const { return spent_.empty() ? Rho() : *std::max_element(spent_.begin(), spent_.end()); }

}  // namespace flaim
