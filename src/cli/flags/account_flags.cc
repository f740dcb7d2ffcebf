#include "cli/flags/account_flags.h"

#include <variant>

#include "CLI/CLI.hpp"
#include "app/ledger/data_ledger.h"
#include "fmt/format.h"

namespace flaim {

void AddAccountFlags(CLI::App& command, const std::string& default_path, AccountFlags& flags) {
  command.add_option("--ledger", flags.path,
                     fmt::format("The account of the rows; made with this budget if absent [{}]", default_path));
  command.add_flag("--separate-ledger", flags.is_separate,
                   "Pay from --ledger although the rows have another account: a second promise, for other "
                   "people or on purpose");
}

absl::StatusOr<std::string> LedgerPathOf(const AccountFlags& flags, const std::string& data) {
  absl::StatusOr<std::string> path = LedgerPathFor({data, flags.path, flags.is_separate});
  if (absl::IsInvalidArgument(path.status())) {
    return absl::InvalidArgumentError(fmt::format("{} (--ledger)", std::string(path.status().message())));
  }
  if (absl::IsFailedPrecondition(path.status())) {
    return absl::FailedPreconditionError(fmt::format("{} (--separate-ledger)", std::string(path.status().message())));
  }
  return path;
}

NamedRows NameOf(const RowsLocation& location) {
  const bool is_file = std::holds_alternative<CsvRows>(location);
  return {Describe(location), is_file ? NamedRows::Place::kFile : NamedRows::Place::kDatabase};
}

void WarnOfOtherLedgers(const absl::StatusOr<std::vector<std::string>>& others, Console& console) {
  if (!others.ok()) {
    console.Note(fmt::format("no record is kept of which rows are charged where, so copies of them go unnoticed: {}",
                             std::string(others.status().message())));
    return;
  }
  for (const std::string& other : *others) {
    console.Warn(
        fmt::format("WARNING: many of these rows were charged to {} before. If they are the same people, they get two "
                    "promises whose costs add up: pay from one ledger",
                    other));
  }
}

}  // namespace flaim
