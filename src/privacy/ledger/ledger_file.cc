#include "privacy/ledger/ledger_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/status.h"
#include "privacy/ledger/ledger_schema.h"

namespace flaim {
namespace {

absl::Status Malformed(std::int64_t sequence) {
  return DataLoss("row {}: a field holds what no ledger writes", sequence);
}

bool IsTerm(std::int64_t value) { return 0 <= value && value <= Rational::kMaxTerm; }

absl::StatusOr<LedgerHash> HashFrom(const SqliteStatement& row, int column, std::int64_t sequence) {
  const std::vector<std::byte> bytes = row.Blob(column);
  LedgerHash hash;
  if (bytes.size() != hash.size()) return Malformed(sequence);
  std::copy(bytes.begin(), bytes.end(), hash.begin());
  return hash;
}

absl::StatusOr<Adjacency> AdjacencyFrom(std::int64_t value, std::int64_t sequence) {
  if (value != static_cast<std::int64_t>(Adjacency::kAddRemoveOneRecord)) return Malformed(sequence);
  return Adjacency::kAddRemoveOneRecord;
}

absl::StatusOr<Mechanism> MechanismFrom(const SqliteStatement& row, int column, std::int64_t sequence) {
  const std::int64_t numerator = row.Integer(column + 1);
  const std::int64_t denominator = row.Integer(column + 2);
  const std::int64_t sensitivity = row.Integer(column + 3);
  if (!IsTerm(numerator) || !IsTerm(denominator) || denominator == 0) return Malformed(sequence);
  const Rational fraction(numerator, denominator);
  if (fraction.numerator() != numerator || fraction.denominator() != denominator) return Malformed(sequence);
  switch (row.Integer(column)) {
    case kGaussianCode:
      return GaussianMechanism{.sigma_squared = fraction, .sensitivity_squared = sensitivity};
    case kExponentialCode:
      return ExponentialMechanism{.epsilon = fraction, .sensitivity = sensitivity};
    default:
      return Malformed(sequence);
  }
}

absl::StatusOr<std::optional<std::string>> ExactRunFrom(const SqliteStatement& row, int column, std::int64_t sequence) {
  const std::int64_t accountant = row.Integer(column);
  std::string run = row.Text(column + 1);
  if (accountant == kExactCode) return run;
  if (accountant != kZcdpCode || !run.empty()) return Malformed(sequence);
  return std::nullopt;
}

absl::StatusOr<LedgerRow> TermsFrom(const SqliteStatement& row, std::int64_t sequence) {
  const bool is_first_format = row.HasTypes("itrriiib");
  const bool has_terms = is_first_format || row.HasTypes("itrriiitib");
  if (!has_terms || row.Integer(0) != sequence) return Malformed(sequence);
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(row.Real(2), row.Real(3)));
  ASSIGN_OR_RETURN(const Adjacency adjacency, AdjacencyFrom(row.Integer(5), sequence));
  LedgerTerms terms{.data_name = row.Text(1),
                    .budget = budget,
                    .total = Rho::FromUnits(row.Integer(4)),
                    .adjacency = adjacency,
                    .format = is_first_format ? 1 : kLedgerFormat};
  if (!is_first_format) {
    ASSIGN_OR_RETURN(terms.exact_run, ExactRunFrom(row, 6, sequence));
  }
  const int time_column = is_first_format ? 6 : 8;
  ASSIGN_OR_RETURN(const LedgerHash hash, HashFrom(row, time_column + 1, sequence));
  return LedgerRow{.sequence = sequence, .entry = std::move(terms), .time_us = row.Integer(time_column), .hash = hash};
}

absl::StatusOr<LedgerRow> DebitFrom(const SqliteStatement& row, std::int64_t sequence) {
  if (!row.HasTypes("ititiiiiiiiiib") || row.Integer(0) != sequence) return Malformed(sequence);
  ASSIGN_OR_RETURN(Mechanism mechanism, MechanismFrom(row, 5, sequence));
  ASSIGN_OR_RETURN(const Adjacency adjacency, AdjacencyFrom(row.Integer(9), sequence));
  ASSIGN_OR_RETURN(const LedgerHash hash, HashFrom(row, 13, sequence));
  return LedgerRow{.sequence = sequence,
                   .entry = DebitEntry{.charge = {.run = row.Text(1),
                                                  .round = row.Integer(2),
                                                  .query = row.Text(3),
                                                  .mechanism = mechanism,
                                                  .adjacency = adjacency},
                                       .attempt = row.Integer(4),
                                       .cost = Rho::FromUnits(row.Integer(10)),
                                       .cumulative = Rho::FromUnits(row.Integer(11))},
                   .time_us = row.Integer(12),
                   .hash = hash};
}

absl::StatusOr<LedgerRow> ReleaseFrom(const SqliteStatement& row, std::int64_t sequence) {
  if (!row.HasTypes("iitbib") || row.Integer(0) != sequence) return Malformed(sequence);
  ASSIGN_OR_RETURN(const LedgerHash hash, HashFrom(row, 5, sequence));
  return LedgerRow{.sequence = sequence,
                   .entry = ReleaseEntry{.debit = row.Integer(1), .provenance = row.Text(2), .value = row.Blob(3)},
                   .time_us = row.Integer(4),
                   .hash = hash};
}

absl::StatusOr<LedgerRow> BindingFrom(const SqliteStatement& row, std::int64_t sequence) {
  if (!row.HasTypes("itbbib") || row.Integer(0) != sequence) return Malformed(sequence);
  ASSIGN_OR_RETURN(const LedgerHash key, HashFrom(row, 2, sequence));
  ASSIGN_OR_RETURN(const LedgerHash digest, HashFrom(row, 3, sequence));
  ASSIGN_OR_RETURN(const LedgerHash hash, HashFrom(row, 5, sequence));
  return LedgerRow{.sequence = sequence,
                   .entry = BindingEntry{.run = row.Text(1), .key = key, .digest = digest},
                   .time_us = row.Integer(4),
                   .hash = hash};
}

}  // namespace

absl::Status LedgerFile::Touch(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  if (file >= 0 || errno == EEXIST) return absl::OkStatus();
  return absl::PermissionDeniedError(
      fmt::format("the ledger '{}' cannot be created: {}. Check that its folder exists and that you may write there",
                  path, std::strerror(errno)));
}

absl::StatusOr<LedgerFile> LedgerFile::Open(const std::string& path, std::chrono::milliseconds wait) {
  ASSIGN_OR_RETURN(SqliteConnection connection, SqliteConnection::Open(path, wait));
  ASSIGN_OR_RETURN(const std::int64_t format, CheckLedgerTables(connection));
  RETURN_IF_ERROR(ConfigureLedgerConnection(connection));
  return Prepare(std::move(connection), format);
}

absl::Status LedgerFile::Format(const std::string& path, const LedgerRow& terms, std::chrono::milliseconds wait) {
  ASSIGN_OR_RETURN(SqliteConnection connection, SqliteConnection::Open(path, wait));
  ASSIGN_OR_RETURN(const std::int64_t pages, connection.QueryInteger("PRAGMA page_count"));
  RETURN_IF_ERROR(ConfigureLedgerConnection(connection));
  ASSIGN_OR_RETURN(SqliteTransaction transaction,
                   SqliteTransaction::Begin(connection, SqliteTransaction::Kind::kWrite));
  ASSIGN_OR_RETURN(const std::int64_t tables, connection.QueryInteger("SELECT count(*) FROM sqlite_schema"));
  if (pages != 0 || tables != 0) {
    return absl::AlreadyExistsError(
        fmt::format("'{}' exists already: open it if it is the ledger of this data, or choose another path", path));
  }
  RETURN_IF_ERROR(CreateLedgerTables(connection));
  {
    ASSIGN_OR_RETURN(SqliteStatement insert,
                     connection.Prepare("INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    const auto& entry = std::get<LedgerTerms>(terms.entry);
    RETURN_IF_ERROR(insert.Run(terms.sequence, entry.data_name, entry.budget.epsilon(), entry.budget.delta(),
                               entry.total.units(), static_cast<std::int64_t>(entry.adjacency), AccountantCode(entry),
                               entry.exact_run.value_or(""), terms.time_us, std::span<const std::byte>(terms.hash)));
  }
  return transaction.Commit();
}

absl::StatusOr<LedgerFile> LedgerFile::Prepare(SqliteConnection connection, std::int64_t format) {
  ASSIGN_OR_RETURN(SqliteStatement terms, connection.Prepare("SELECT * FROM terms WHERE sequence = ?"));
  ASSIGN_OR_RETURN(SqliteStatement debit, connection.Prepare("SELECT * FROM debit WHERE sequence = ?"));
  ASSIGN_OR_RETURN(SqliteStatement release, connection.Prepare("SELECT * FROM release WHERE sequence = ?"));
  std::optional<SqliteStatement> binding;
  if (format > 1) {
    ASSIGN_OR_RETURN(binding, connection.Prepare("SELECT * FROM binding WHERE sequence = ?"));
  }
  return LedgerFile(std::move(connection), std::move(terms), std::move(debit), std::move(release), std::move(binding));
}

absl::Status LedgerFile::AddBindings() {
  if (select_binding_) return absl::OkStatus();
  {
    ASSIGN_OR_RETURN(SqliteTransaction transaction, Begin(SqliteTransaction::Kind::kWrite));
    ASSIGN_OR_RETURN(const std::int64_t format, CheckLedgerTables(connection_));
    // Another process may have been here first.
    if (format == 1) {
      RETURN_IF_ERROR(AddBindingsToLedgerTables(connection_));
      RETURN_IF_ERROR(transaction.Commit());
    }
  }
  ASSIGN_OR_RETURN(select_binding_, connection_.Prepare("SELECT * FROM binding WHERE sequence = ?"));
  return absl::OkStatus();
}

absl::Status LedgerFile::CatchUp(LedgerState& state) {
  if (state.size() > 0) {
    ASSIGN_OR_RETURN(const std::optional<LedgerRow> last, Read(state.size() - 1));
    if (!last.has_value() || last->hash != state.head()) {
      return DataLoss("the ledger '{}' was replaced or rolled back while it was open: row {} is not what it was",
                      path(), state.size() - 1);
    }
  }
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<LedgerRow> row, Read(state.size()));
    if (!row.has_value()) return CheckBounds(state);
    RETURN_IF_ERROR(state.Apply(*row));
  }
}

absl::StatusOr<std::optional<LedgerRow>> LedgerFile::Read(std::int64_t sequence) {
  using FromStatement = absl::StatusOr<LedgerRow> (*)(const SqliteStatement&, std::int64_t);
  std::vector<std::pair<SqliteStatement*, FromStatement>> tables = {
      {&select_terms_, TermsFrom}, {&select_debit_, DebitFrom}, {&select_release_, ReleaseFrom}};
  if (select_binding_) tables.emplace_back(&*select_binding_, BindingFrom);
  std::optional<LedgerRow> row;
  for (const auto& [select, from_statement] : tables) {
    ASSIGN_OR_RETURN(const bool found, select->Find(sequence));
    if (!found) continue;
    if (row.has_value()) return DataLoss("row {}: two tables have this row", sequence);
    absl::StatusOr<LedgerRow> found_row = from_statement(*select, sequence);
    select->Release();
    ASSIGN_OR_RETURN(row, std::move(found_row));
  }
  return row;
}

absl::Status LedgerFile::Insert(const LedgerRow& row) {
  return std::visit([&](const auto& entry) { return Write(row, entry); }, row.entry);
}

absl::Status LedgerFile::Write(const LedgerRow&, const LedgerTerms&) {
  return FailedPrecondition("the ledger '{}' has its terms already", path());
}

absl::Status LedgerFile::Write(const LedgerRow& row, const DebitEntry& debit) {
  const auto* gaussian = std::get_if<GaussianMechanism>(&debit.charge.mechanism);
  const auto* exponential = std::get_if<ExponentialMechanism>(&debit.charge.mechanism);
  const Rational& fraction = gaussian != nullptr ? gaussian->sigma_squared : exponential->epsilon;
  ASSIGN_OR_RETURN(SqliteStatement insert,
                   connection_.Prepare("INSERT INTO debit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  return insert.Run(row.sequence, debit.charge.run, debit.charge.round, debit.charge.query, debit.attempt,
                    gaussian != nullptr ? kGaussianCode : kExponentialCode, fraction.numerator(),
                    fraction.denominator(),
                    gaussian != nullptr ? gaussian->sensitivity_squared : exponential->sensitivity,
                    static_cast<std::int64_t>(debit.charge.adjacency), debit.cost.units(), debit.cumulative.units(),
                    row.time_us, std::span<const std::byte>(row.hash));
}

absl::Status LedgerFile::Write(const LedgerRow& row, const ReleaseEntry& release) {
  ASSIGN_OR_RETURN(SqliteStatement insert, connection_.Prepare("INSERT INTO release VALUES (?, ?, ?, ?, ?, ?)"));
  return insert.Run(row.sequence, release.debit, release.provenance, std::span<const std::byte>(release.value),
                    row.time_us, std::span<const std::byte>(row.hash));
}

absl::Status LedgerFile::Write(const LedgerRow& row, const BindingEntry& binding) {
  ASSIGN_OR_RETURN(SqliteStatement insert, connection_.Prepare("INSERT INTO binding VALUES (?, ?, ?, ?, ?, ?)"));
  return insert.Run(row.sequence, binding.run, std::span<const std::byte>(binding.key),
                    std::span<const std::byte>(binding.digest), row.time_us, std::span<const std::byte>(row.hash));
}

// Rows are read by number from 0 up; what lies below or beyond a gap would go unseen.
absl::Status LedgerFile::CheckBounds(const LedgerState& state) {
  std::vector<std::string_view> tables = {"terms", "debit", "release"};
  if (select_binding_) tables.emplace_back("binding");
  for (const std::string_view table : tables) {
    ASSIGN_OR_RETURN(const std::int64_t first,
                     connection_.QueryInteger(fmt::format("SELECT min(sequence) FROM {}", table)));
    ASSIGN_OR_RETURN(const std::int64_t last,
                     connection_.QueryInteger(fmt::format("SELECT max(sequence) FROM {}", table)));
    if (first < 0) return DataLoss("row {}: no row comes before the terms", first);
    if (last >= state.size() && last > 0) return DataLoss("row {} is missing, but row {} exists", state.size(), last);
  }
  if (state.size() == 0) return DataLoss("row 0 is missing: the ledger '{}' has no terms", path());
  return absl::OkStatus();
}

absl::Status LedgerFile::CheckPages() {
  ASSIGN_OR_RETURN(const std::string finding, connection_.QueryText("PRAGMA integrity_check(1)"));
  if (finding == "ok") return absl::OkStatus();
  return DataLoss("the ledger '{}' is damaged: {}", path(), finding);
}

}  // namespace flaim
