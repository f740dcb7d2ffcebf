#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "privacy/ledger/spend.h"

namespace flaim {

// The right to add counts, once, to a sum whose noise several contributors bring together (secure aggregation). Made by
// ReleaseIntoSum alone, from a payment for the whole of the noise. Cannot be copied.
class [[nodiscard("what was paid for is never released")]] SumPermit {
 public:
  SumPermit(SumPermit &&) noexcept = default;
  SumPermit& operator=(SumPermit&&) = delete;

  // What the noise in the sum must be good for.
  const GaussianMechanism& mechanism() const { return mechanism_; }

 private:
  friend absl::StatusOr<SumPermit> ReleaseIntoSum(Spend<GaussianMechanism>, const SumName&, const std::string&);
  explicit SumPermit(const GaussianMechanism& mechanism) : mechanism_(mechanism) {}

  GaussianMechanism mechanism_;
};

// Consumes the payment and puts on record, before anything can leave, which sum its counts go into. The counts
// themselves are not recorded: a contribution is never sent a second time, because two sums with the same noise and
// other contributors would differ by single contributions. So a payment that has its value already is refused with
// AlreadyExists: a second attempt is a second release, under another name.
absl::StatusOr<SumPermit> ReleaseIntoSum(Spend<GaussianMechanism> spend, const SumName& sum,
                                         const std::string& provenance);

}  // namespace flaim
