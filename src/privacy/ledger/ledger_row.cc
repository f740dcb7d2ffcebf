#include "privacy/ledger/ledger_row.h"

#include <algorithm>
#include <array>
#include <bit>

#include "absl/strings/ascii.h"
#include "base/check.h"
#include "base/status.h"
#include "io/digest.h"
#include "io/hex.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxNameBytes = 4096;
constexpr std::int64_t kMaxRho = std::int64_t{1} << 12;
// Another machine's exp and log may round a total differently than the one that made the ledger.
constexpr double kRoundingOfDelta = 1 + 1e-9;

class RowHasher {
 public:
  explicit RowHasher(const LedgerHash& previous) { hash_.Add(AsBytes(previous)); }

  void Integer(std::int64_t value) {
    std::array<std::uint8_t, 8> bytes;
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
    hash_.Add(bytes);
  }
  void Real(double value) { Integer(std::bit_cast<std::int64_t>(value)); }
  void Field(ByteView bytes) {
    Integer(static_cast<std::int64_t>(bytes.size()));
    hash_.Add(bytes);
  }
  void Text(std::string_view text) { Field(AsBytes(text)); }

  void Entry(const LedgerTerms& terms) {
    Text(terms.data_name);
    Real(terms.budget.epsilon());
    Real(terms.budget.delta());
    Integer(terms.total.units());
    Integer(static_cast<std::int64_t>(terms.adjacency));
    if (terms.format == 1) return;
    Integer(AccountantCode(terms));
    Text(terms.exact_run.value_or(""));
  }

  void Entry(const DebitEntry& debit) {
    Text(debit.charge.run);
    Integer(debit.charge.round);
    Text(debit.charge.query);
    Integer(debit.attempt);
    std::visit([this](const auto& mechanism) { OneMechanism(mechanism); }, debit.charge.mechanism);
    Integer(static_cast<std::int64_t>(debit.charge.adjacency));
    Integer(debit.cost.units());
    Integer(debit.cumulative.units());
  }

  void Entry(const ReleaseEntry& release) {
    Integer(release.debit);
    Text(release.provenance);
    Field(AsBytes(release.value));
  }

  void Entry(const BindingEntry& binding) {
    Text(binding.run);
    Field(AsBytes(binding.key));
    Field(AsBytes(binding.digest));
  }

  LedgerHash Finish() { return std::bit_cast<LedgerHash>(hash_.Finish()); }

 private:
  void Fraction(const Rational& value) {
    Integer(value.numerator());
    Integer(value.denominator());
  }
  void OneMechanism(const GaussianMechanism& gaussian) {
    Integer(kGaussianCode);
    Fraction(gaussian.sigma_squared);
    Integer(gaussian.sensitivity_squared);
  }
  void OneMechanism(const ExponentialMechanism& exponential) {
    Integer(kExponentialCode);
    Fraction(exponential.epsilon);
    Integer(exponential.sensitivity);
  }

  Blake2b<sizeof(LedgerHash)> hash_;
};

absl::Status CheckName(std::string_view what, std::string_view name) {
  if (name.empty()) return InvalidArgument("the {} has no name: give it one", what);
  if (name.size() > kMaxNameBytes) {
    return InvalidArgument("the name of the {} has {} bytes: {} is the most", what, name.size(), kMaxNameBytes);
  }
  if (name.find('\0') != std::string_view::npos) return InvalidArgument("the name of the {} has a zero byte", what);
  return absl::OkStatus();
}

}  // namespace

std::string_view KindOf(const LedgerEntry& entry) {
  static constexpr std::string_view kKinds[] = {"terms", "debit", "release", "binding"};
  return kKinds[entry.index()];
}

LedgerHash HashOf(const LedgerHash& previous, const LedgerRow& row) {
  RowHasher hasher(previous);
  hasher.Text(KindOf(row.entry));
  hasher.Integer(row.sequence);
  std::visit([&hasher](const auto& entry) { hasher.Entry(entry); }, row.entry);
  hasher.Integer(row.time_us);
  return hasher.Finish();
}

absl::StatusOr<LedgerHash> ParseLedgerHash(std::string_view hex) {
  std::string digits(hex);
  absl::AsciiStrToLower(&digits);
  const absl::StatusOr<Bytes> bytes = FromHex(digits);
  LedgerHash hash;
  if (!bytes.ok() || bytes->size() != hash.size()) {
    return InvalidArgument("'{}' is not the hash of a ledger: 64 hexadecimal digits are expected", hex);
  }
  std::ranges::copy(std::as_bytes(std::span(*bytes)), hash.begin());
  return hash;
}

std::string AccountantInWords(const LedgerTerms& terms) {
  if (!terms.exact_run) return "zCDP accountant";
  return terms.exact_run->empty() ? "exact accountant of an unknown run"
                                  : fmt::format("exact accountant of run '{}'", *terms.exact_run);
}

ReleaseName NameOf(const Charge& charge) { return {charge.run, charge.round, charge.query}; }

std::string ToString(const Mechanism& mechanism) {
  if (const auto* gaussian = std::get_if<GaussianMechanism>(&mechanism)) {
    return fmt::format("Gaussian, sigma^2 = {}, sensitivity^2 = {}", gaussian->sigma_squared.ToString(),
                       gaussian->sensitivity_squared);
  }
  const auto& exponential = std::get<ExponentialMechanism>(mechanism);
  return fmt::format("exponential, epsilon = {}, sensitivity = {}", exponential.epsilon.ToString(),
                     exponential.sensitivity);
}

bool IsAffordedByZcdp(Rho cost, const PrivacyBudget& budget) {
  return DeltaOf(cost, budget.epsilon()) <= budget.delta() * kRoundingOfDelta;
}

absl::Status CheckTerms(const LedgerTerms& terms) {
  RETURN_IF_ERROR(CheckName("data", terms.data_name));
  if (terms.total.units() <= 0) return InvalidArgument("the ledger allows nothing: its total rho must be above 0");
  if (terms.total.units() >= kMaxRho << Rho::kUnitBits) {
    return InvalidArgument("a total rho of {} promises nothing: it must be below {}", terms.total.ToDouble(), kMaxRho);
  }
  if (terms.adjacency != Adjacency::kAddRemoveOneRecord) return InvalidArgument("the adjacency is not known");
  if (terms.format == 1) return absl::OkStatus();
  if (terms.exact_run) return CheckName("run of the exact accountant", *terms.exact_run);
  if (IsAffordedByZcdp(terms.total, terms.budget)) return absl::OkStatus();
  return InvalidArgument(
      "a total rho of {:.6g} is more than epsilon {:g} and delta {:g} afford: {:.6g} is the most, unless the ledger "
      "belongs to one run with exact accounting",
      terms.total.ToDouble(), terms.budget.epsilon(), terms.budget.delta(), RhoFor(terms.budget).ToDouble());
}

absl::Status CheckBinding(const BindingEntry& binding) { return CheckName("run", binding.run); }

absl::Status CheckCharge(const Charge& charge) {
  RETURN_IF_ERROR(CheckName("run", charge.run));
  RETURN_IF_ERROR(CheckName("query", charge.query));
  if (charge.round < 0) return InvalidArgument("round {} is negative", charge.round);
  if (charge.adjacency != Adjacency::kAddRemoveOneRecord) return InvalidArgument("the adjacency is not known");
  return Validate(charge.mechanism);
}

}  // namespace flaim
