#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "privacy/budget/charge.h"
#include "privacy/ledger/ledger_row.h"
#include "privacy/ledger/release_journal.h"

namespace flaim {

class AccountBook;
class Ledger;
struct NoisyCounts;
struct NoisyChoice;
class SumPermit;
using SumName = std::array<std::byte, 32>;

template <typename MechanismType>
class Spend;

absl::StatusOr<NoisyCounts> ReleaseGaussian(Spend<GaussianMechanism> spend, std::span<const std::int64_t> counts,
                                            RandomSource& noise);
absl::StatusOr<NoisyChoice> ReleaseExponential(Spend<ExponentialMechanism> spend, std::span<const std::int64_t> scores,
                                               RandomSource& noise);

absl::StatusOr<SumPermit> ReleaseIntoSum(Spend<GaussianMechanism> spend, const SumName& sum,
                                         const std::string& provenance);

// The receipt of a debit, good for one release by the mechanism that it paid for. Only Ledger::Debit makes one, and for
// simulated clients the AccountBook of the simulation, which nothing else may include; it cannot be copied, and a
// releasing function consumes it: an unpaid release, a second release for one payment, or one with another mechanism or
// other noise than was paid for, does not compile (see tests/compile_fail).
//
// A Spend that is dropped is money gone. If the release was recorded by an earlier run, the Spend carries the recorded
// value, nothing was paid for it, and releasing returns that value.
template <typename MechanismType>
class [[nodiscard("what was paid for is never released")]] Spend {
 public:
  Spend(Spend &&) noexcept = default;
  Spend& operator=(Spend&&) = delete;
  ~Spend() = default;

  const MechanismType& mechanism() const { return mechanism_; }
  // The row of the debit in the ledger.
  std::int64_t debit() const { return debit_; }
  bool IsResend() const { return recorded_.has_value(); }

 private:
  friend class AccountBook;
  friend class Ledger;
  friend absl::StatusOr<NoisyCounts> ReleaseGaussian(Spend<GaussianMechanism>, std::span<const std::int64_t>,
                                                     RandomSource&);
  friend absl::StatusOr<NoisyChoice> ReleaseExponential(Spend<ExponentialMechanism>, std::span<const std::int64_t>,
                                                        RandomSource&);
  friend absl::StatusOr<SumPermit> ReleaseIntoSum(Spend<GaussianMechanism>, const SumName&, const std::string&);

  Spend(std::shared_ptr<ReleaseJournal> journal, MechanismType mechanism, std::int64_t debit,
        std::optional<ReleaseEntry> recorded)
      : journal_(std::move(journal)), mechanism_(std::move(mechanism)), debit_(debit), recorded_(std::move(recorded)) {}

  // Makes the value durable. REQUIRES: not a resend, and not called before.
  absl::Status Record(std::vector<std::byte> value, std::string provenance);

  std::shared_ptr<ReleaseJournal> journal_;
  MechanismType mechanism_;
  std::int64_t debit_;
  std::optional<ReleaseEntry> recorded_;
};

}  // namespace flaim
