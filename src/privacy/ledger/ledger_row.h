#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

// What a ledger is about: one body of private data, the promise to the people in it, and what that promise lets all
// releases together cost. Fixed when the ledger is created.
struct LedgerTerms {
  std::string data_name;
  PrivacyBudget budget;
  Rho total;
  Adjacency adjacency = Adjacency::kAddRemoveOneRecord;

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

using LedgerEntry = std::variant<LedgerTerms, DebitEntry, ReleaseEntry>;
using LedgerHash = std::array<std::byte, 32>;

struct LedgerRow {
  std::int64_t sequence = 0;  // 0 holds the terms; then 1, 2, 3, ... without gaps
  LedgerEntry entry;
  std::int64_t time_us = 0;  // since 1970, UTC. For people: nothing depends on it
  LedgerHash hash{};

  bool operator==(const LedgerRow&) const = default;
};

// The hash of a row: BLAKE2b-256 over the previous row's hash and every field. docs/LEDGER.md fixes the bytes.
LedgerHash HashOf(const LedgerHash& previous, const LedgerRow& row);

absl::StatusOr<LedgerHash> ParseLedgerHash(std::string_view hex);

ReleaseName NameOf(const Charge& charge);
std::string ToString(const Mechanism& mechanism);

// Whether the parts make sense by themselves: names of sane length, noise that is noise, a cost that can be counted.
absl::Status CheckTerms(const LedgerTerms& terms);
absl::Status CheckCharge(const Charge& charge);

}  // namespace flaim
