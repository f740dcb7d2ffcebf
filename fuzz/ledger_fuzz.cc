#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_disk_testing.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_state.h"
#include "privacy/ledger/release_value.h"

// Bytes from outside that the ledger reads: a database file (input that starts like one), and else rows with correct
// hashes but arbitrary contents, and recorded values. Nothing may crash, hang, or be accepted against the rules.

namespace {

using namespace flaim;

constexpr const char* kPath = "fuzz.ledger";

void ReadFile(std::string bytes) {
  static testing_support::SimulatedDisk disk;
  static const SystemClock clock;
  disk.Put(kPath, std::move(bytes));
  const absl::StatusOr<LedgerSummary> summary = VerifyLedger(kPath);
  if (summary.ok()) CHECK(summary->spent <= summary->terms.total);
  absl::StatusOr<Ledger> ledger = Ledger::Open(kPath, clock);
  CHECK(ledger.ok() || !summary.ok());
  if (!ledger.ok()) return;
  auto spend = ledger->Debit({"fuzz", 0, "q"}, GaussianMechanism{.sigma_squared = Rational(400, 1)});
  CHECK(ledger->spent() <= ledger->terms().total);
}

void ReadValue(std::span<const std::byte> bytes) {
  if (const absl::StatusOr<std::size_t> size = CountsIn(bytes); size.ok()) {
    const std::vector<std::byte> again = EncodeCounts(*DecodeCounts(bytes, *size));
    CHECK(std::equal(bytes.begin(), bytes.end(), again.begin(), again.end()));
  }
  if (const absl::StatusOr<std::size_t> size = CandidatesIn(bytes); size.ok()) {
    const std::vector<std::byte> again = EncodeChoice(*DecodeChoice(bytes, *size), *size);
    CHECK(std::equal(bytes.begin(), bytes.end(), again.begin(), again.end()));
  }
}

// Takes fields from the input, zeros once it is used up.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  std::uint64_t Word(std::size_t size = 8) {
    std::uint64_t word = 0;
    const std::span<const std::byte> taken = Take(size);
    std::memcpy(&word, taken.data(), taken.size());
    return word;
  }
  std::int64_t Integer() { return static_cast<std::int64_t>(Word(1 + Word(1) % 8)); }
  std::span<const std::byte> Take(std::size_t size) {
    const std::span<const std::byte> taken = bytes_.first(std::min(size, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }
  std::string Text() { return std::string(1 + Word(1) % 3, 'q'); }
  Rational Fraction() {
    constexpr auto kLimit = static_cast<std::uint64_t>(Rational::kMaxTerm);
    return {static_cast<std::int64_t>(Word() % (kLimit + 1)), static_cast<std::int64_t>(1 + Word() % kLimit)};
  }

 private:
  std::span<const std::byte> bytes_;
};

LedgerEntry AnyEntry(Fields& fields, const LedgerState& state) {
  const std::uint64_t kind = fields.Word(1) % 5;
  if (kind == 0) {
    LedgerTerms terms{fields.Text(), *PrivacyBudget::Create(1, 1e-6), Rho::FromUnits(fields.Integer())};
    if (fields.Word(1) % 2 == 1) terms.exact_run = fields.Text();
    terms.format = 1 + static_cast<std::int64_t>(fields.Word(1) % 2);
    return terms;
  }
  if (kind == 4) return BindingEntry{.run = fields.Text()};
  if (kind == 1) {
    const std::span<const std::byte> value = fields.Take(fields.Word(1) % 40);
    return ReleaseEntry{
        state.size() - 1 - static_cast<std::int64_t>(fields.Word(1) % 4), fields.Text(), {value.begin(), value.end()}};
  }
  const bool gaussian = fields.Word(1) % 2 == 0;
  Mechanism mechanism = gaussian ? Mechanism(GaussianMechanism{fields.Fraction(), fields.Integer()})
                                 : Mechanism(ExponentialMechanism{fields.Fraction(), fields.Integer()});
  Charge charge{.run = fields.Text(), .round = fields.Integer(), .query = fields.Text(), .mechanism = mechanism};
  if (kind == 2 && state.size() > 0) {
    if (absl::StatusOr<DebitEntry> paid = state.Pay(charge); paid.ok()) return *std::move(paid);
  }
  return DebitEntry{std::move(charge), fields.Integer(), Rho::FromUnits(fields.Integer()),
                    Rho::FromUnits(fields.Integer())};
}

void ReplayRows(std::span<const std::byte> bytes) {
  Fields fields(bytes);
  LedgerState state;
  while (!fields.empty()) {
    const LedgerRow row = state.NextRow(AnyEntry(fields, state), fields.Integer());
    if (!state.Apply(row).ok()) continue;
    CHECK(state.spent() <= state.terms().total && state.releases() <= state.debits());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  if (size > 0 && data[0] == 'S') {
    ReadFile(std::string(reinterpret_cast<const char*>(data), size));
  } else {
    ReadValue(bytes);
    ReplayRows(bytes);
  }
  return 0;
}
