#include "privacy/ledger/spend.h"

#include "base/check.h"

namespace flaim {

template <typename MechanismType>
absl::Status Spend<MechanismType>::Record(std::vector<std::byte> value, std::string provenance) {
  CHECK(journal_ != nullptr, "this payment has been used");
  CHECK(!recorded_.has_value(), "row {} has its value already", debit_);
  const std::shared_ptr<ReleaseJournal> journal = std::move(journal_);
  return journal->Record({.debit = debit_, .provenance = std::move(provenance), .value = std::move(value)});
}

template class Spend<GaussianMechanism>;
template class Spend<ExponentialMechanism>;

}  // namespace flaim
