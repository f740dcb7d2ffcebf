#include "app/ledger/data_ledger.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/status.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;

std::string Beside(const std::string& data) { return data + ".ledger"; }

// Where a link leads; the path itself if it is none, or leads nowhere.
std::string Resolved(const std::string& data) {
  std::error_code error;
  if (!fs::is_symlink(data, error)) return data;
  const fs::path target = fs::canonical(data, error);
  return error ? data : target.string();
}

// A stream cannot be read twice, and the next one under its name is another.
bool IsStream(const std::string& data) {
  std::error_code error;
  const fs::file_status status = fs::status(data, error);
  return data == "-" || (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

bool IsSameFile(const std::string& one, const std::string& other) {
  std::error_code error;
  return one == other || fs::equivalent(one, other, error);
}

// Accounts that the path was paid from, unless the chosen one is among them: then it is no new one. Without a registry
// that can be read there are none: it only helps.
std::vector<std::string> OthersInRegistry(const AccountPlace& place, const std::string& chosen,
                                          const std::optional<std::string>& registry) {
  const absl::StatusOr<std::vector<std::string>> ledgers = RegisteredLedgersOf(place.data, registry);
  if (!ledgers.ok()) return {};
  const bool is_known =
      std::ranges::any_of(*ledgers, [&](const std::string& known) { return IsSameFile(known, chosen); });
  return is_known ? std::vector<std::string>() : *ledgers;
}

absl::Status CheckIsOnlyLedger(const AccountPlace& place, const std::string& chosen,
                               const std::optional<std::string>& registry) {
  std::vector<std::string> accounts = OthersInRegistry(place, chosen, registry);
  accounts.insert(accounts.begin(), {Beside(Resolved(place.data)), Beside(place.data)});
  for (const std::string& known : accounts) {
    std::error_code error;
    if (!fs::exists(known, error) || IsSameFile(known, chosen)) continue;
    return FailedPrecondition(
        "these rows have an account already, '{}', and another one, '{}', would promise the same people a second "
        "budget: pay from the first. If they are other people, or the second promise is meant, say that the ledger is "
        "separate",
        known, chosen);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> LedgerPathFor(const AccountPlace& place, const std::optional<std::string>& registry) {
  const bool has_file = !place.data.empty() && !IsStream(place.data);
  if (!has_file && place.ledger.empty()) {
    return InvalidArgument(
        "{} has no file beside which its account could lie: name a ledger, the same one whenever these rows are used",
        place.data.empty() ? "a table in a database" : "a table that comes as a stream");
  }
  std::string chosen = place.ledger.empty() ? Beside(Resolved(place.data)) : place.ledger;
  if (has_file && !place.is_separate) RETURN_IF_ERROR(CheckIsOnlyLedger(place, chosen, registry));
  return chosen;
}

absl::StatusOr<Ledger> OpenDataLedger(const std::string& path, const std::string& data, const PrivacyBudget& budget,
                                      bool is_seeded, const Clock& clock) {
  absl::StatusOr<Ledger> ledger = Ledger::Open(path, clock);
  if (absl::IsNotFound(ledger.status())) ledger = Ledger::Create(path, {data, budget, RhoFor(budget)}, clock);
  RETURN_IF_ERROR(ledger.status());
  RETURN_IF_ERROR(ledger->CheckSpendableByAll());
  RETURN_IF_ERROR(ledger->CheckNoise(!is_seeded));
  return ledger;
}

}  // namespace flaim
