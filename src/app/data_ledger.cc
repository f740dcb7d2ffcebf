#include "app/data_ledger.h"

#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {

absl::StatusOr<Ledger> OpenDataLedger(const std::string& path, const std::string& data, const PrivacyBudget& budget,
                                      const Clock& clock) {
  absl::StatusOr<Ledger> opened = Ledger::Open(path, clock);
  if (!absl::IsNotFound(opened.status())) return opened;
  return Ledger::Create(path, {data, budget, RhoFor(budget)}, clock);
}

}  // namespace flaim
