#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "privacy/ledger/spend.h"

namespace flaim {

// The right to add counts, once, to a sum whose noise several contributors bring together (secure aggregation). Made by
// ReleaseIntoSum alone, from a payment for the whole of the noise. Cannot be copied; whoever takes it over leaves one
// behind that is used up, and stops the program when it is asked for anything.
class [[nodiscard("what was paid for is never released")]] SumPermit {
 public:
  SumPermit(SumPermit && other) noexcept;
  SumPermit& operator=(SumPermit&&) = delete;

  // The sum that it is for.
  const SumName& sum() const;
  // What the noise in the sum must be good for.
  const GaussianMechanism& mechanism() const;

 private:
  friend absl::StatusOr<SumPermit> ReleaseIntoSum(Spend<GaussianMechanism>, const SumName&, const std::string&);
  SumPermit(const SumName& sum, const GaussianMechanism& mechanism) : granted_({sum, mechanism}) {}

  struct Granted {
    SumName sum;
    GaussianMechanism mechanism;
  };
  std::optional<Granted> granted_;  // nothing once it is used up
};

// Consumes the payment and puts on record, before anything can leave, which sum its counts go into. The counts
// themselves are not recorded: a contribution is never sent a second time, because two sums with the same noise and
// other contributors would differ by single contributions. So a payment that has its value already is refused with
// AlreadyExists: a second attempt is a second release, under another name.
absl::StatusOr<SumPermit> ReleaseIntoSum(Spend<GaussianMechanism> spend, const SumName& sum,
                                         const std::string& provenance);

}  // namespace flaim
