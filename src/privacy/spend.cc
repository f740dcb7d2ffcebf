#include "privacy/spend.h"

#include "base/check.h"
#include "privacy/ledger_book.h"

namespace flaim {

template <typename MechanismType>
absl::Status Spend<MechanismType>::Record(std::vector<std::byte> value, std::string provenance) {
  CHECK(book_ != nullptr, "this payment has been used");
  CHECK(!recorded_.has_value(), "row {} has its value already", debit_);
  const std::shared_ptr<LedgerBook> book = std::move(book_);
  return book->Record({.debit = debit_, .provenance = std::move(provenance), .value = std::move(value)});
}

template class Spend<GaussianMechanism>;
template class Spend<ExponentialMechanism>;

}  // namespace flaim
