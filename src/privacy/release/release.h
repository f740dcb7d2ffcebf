#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "privacy/budget/charge.h"
#include "privacy/ledger/spend.h"

namespace flaim {

// The only two ways for a number to leave private data. Each consumes a payment, draws noise as the payment says, puts
// the result on disk, and only then returns it. A payment that carries a recorded value gives that value back: no noise
// is drawn and the private numbers are not looked at.
//
// Whatever fails, fails before anything is returned, and messages depend on public sizes only.

struct NoisyCounts {
  std::vector<std::int64_t> values;
  std::string provenance;         // of the noise: "secure", or what an output must be stamped with
  double variance = 0;            // of each count: of all the noise in it, which can be more than was paid for
  std::int64_t contributors = 1;  // whose counts are in it
};

struct NoisyChoice {
  std::size_t index = 0;
  std::string provenance;
};

// Adds discrete Gaussian noise to each count, which must have the L2 sensitivity that was paid for.
// FailedPrecondition if the recorded value has another number of counts.
absl::StatusOr<NoisyCounts> ReleaseGaussian(Spend<GaussianMechanism> spend, std::span<const std::int64_t> counts,
                                            RandomSource& noise);

// Chooses one of the candidates, whose scores must have the sensitivity that was paid for.
absl::StatusOr<NoisyChoice> ReleaseExponential(Spend<ExponentialMechanism> spend, std::span<const std::int64_t> scores,
                                               RandomSource& noise);

}  // namespace flaim
