#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "privacy/budget/budget.h"
#include "privacy/budget/charge.h"
#include "privacy/ledger/release_name.h"

namespace flaim {

inline constexpr std::int64_t kLedgerFormat = 2;

// What a ledger is about: one body of private data, the promise to the people in it, and what that promise lets all
// releases together cost. Fixed when the ledger is created.
//
// The accountant is the zCDP one unless the terms name a run. Its total is then what zCDP affords for the promise, and
// whoever pays may spend it. The exact accountant affords more, but only to releases that follow the plan it was asked
// about: so such a ledger names the one run that follows it, and nobody else may spend.
struct LedgerTerms {
  std::string data_name;
  PrivacyBudget budget;
  Rho total;
  Adjacency adjacency = Adjacency::kAddRemoveOneRecord;
  std::optional<std::string> exact_run = std::nullopt;
  std::int64_t format = kLedgerFormat;  // of the terms, 1 or 2; those of format 1 did not name the accountant

  bool operator==(const LedgerTerms&) const = default;
};

// A payment. Attempts count the payments under one name, from 1: one that never got its value stays paid.
struct DebitEntry {
  Charge charge;
  std::int64_t attempt = 1;
  Rho cost;
  Rho cumulative;  // of all debits up to and including this one

  bool operator==(const DebitEntry&) const = default;
};

// The value that a debit paid for, as release_value.h writes it.
struct ReleaseEntry {
  std::int64_t debit = 0;  // its sequence number
  std::string provenance;  // of the noise: "secure", or what says that it was not
  std::vector<std::byte> value;

  bool operator==(const ReleaseEntry&) const = default;
};

using LedgerHash = std::array<std::byte, 32>;

// Which rows a run is about: a digest of them, under a key of its own. Says nothing to those who do not have the ledger
// file; whoever has it can test a guess of all the rows, so the file stays with the owner of the rows.
struct BindingEntry {
  std::string run;
  LedgerHash key{};
  LedgerHash digest{};

  bool operator==(const BindingEntry&) const = default;
};

using LedgerEntry = std::variant<LedgerTerms, DebitEntry, ReleaseEntry, BindingEntry>;
// What an entry is called, in the file, in the hash and in messages.
std::string_view KindOf(const LedgerEntry& entry);

struct LedgerRow {
  std::int64_t sequence = 0;  // 0 holds the terms; then 1, 2, 3, ... without gaps
  LedgerEntry entry;
  std::int64_t time_us = 0;  // since 1970, UTC. For people: nothing depends on it
  LedgerHash hash{};

  bool operator==(const LedgerRow&) const = default;
};

// What an accountant is called in the file and in the hash.
inline constexpr std::int64_t kZcdpCode = 1;
inline constexpr std::int64_t kExactCode = 2;
inline std::int64_t AccountantCode(const LedgerTerms& terms) { return terms.exact_run ? kExactCode : kZcdpCode; }

// What a mechanism is called in the file and in the hash.
inline constexpr std::int64_t kGaussianCode = 1;
inline constexpr std::int64_t kExponentialCode = 2;

// The hash of a row: BLAKE2b-256 over the previous row's hash and every field. docs/LEDGER.md fixes the bytes.
LedgerHash HashOf(const LedgerHash& previous, const LedgerRow& row);

absl::StatusOr<LedgerHash> ParseLedgerHash(std::string_view hex);

// "zCDP accountant", or "exact accountant of run '...'".
std::string AccountantInWords(const LedgerTerms& terms);

ReleaseName NameOf(const Charge& charge);
std::string ToString(const Mechanism& mechanism);

// Whether a cost is within what zCDP affords for a promise.
bool IsAffordedByZcdp(Rho cost, const PrivacyBudget& budget);

// Whether the parts make sense by themselves: names of sane length, noise that is noise, a cost that can be counted, a
// total that the promise affords in zCDP unless the exact accountant is named.
absl::Status CheckTerms(const LedgerTerms& terms);
absl::Status CheckBinding(const BindingEntry& binding);
absl::Status CheckCharge(const Charge& charge);

}  // namespace flaim
