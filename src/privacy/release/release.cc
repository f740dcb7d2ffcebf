#include "privacy/release/release.h"

#include "base/status.h"
#include "privacy/ledger/release_value.h"
#include "privacy/samplers/discrete_gaussian.h"
#include "privacy/samplers/exponential_sampler.h"

namespace flaim {

absl::StatusOr<NoisyCounts> ReleaseGaussian(Spend<GaussianMechanism> spend, std::span<const std::int64_t> counts,
                                            RandomSource& noise) {
  const double variance = spend.mechanism().sigma_squared.ToDouble();
  if (spend.recorded_.has_value()) {
    ASSIGN_OR_RETURN(std::vector<std::int64_t> values, DecodeCounts(spend.recorded_->value, counts.size()));
    return NoisyCounts{.values = std::move(values), .provenance = spend.recorded_->provenance, .variance = variance};
  }
  if (counts.size() > kMaxReleasedCounts) {
    return InvalidArgument("{} counts in one release are too many: {} is the most", counts.size(), kMaxReleasedCounts);
  }
  NoisyCounts noisy{.values = {counts.begin(), counts.end()}, .provenance = noise.Provenance(), .variance = variance};
  DiscreteGaussian(spend.mechanism().sigma_squared).Add(noise, noisy.values);
  RETURN_IF_ERROR(spend.Record(EncodeCounts(noisy.values), noisy.provenance));
  return noisy;
}

absl::StatusOr<NoisyChoice> ReleaseExponential(Spend<ExponentialMechanism> spend, std::span<const std::int64_t> scores,
                                               RandomSource& noise) {
  if (spend.recorded_.has_value()) {
    ASSIGN_OR_RETURN(const std::size_t index, DecodeChoice(spend.recorded_->value, scores.size()));
    return NoisyChoice{.index = index, .provenance = spend.recorded_->provenance};
  }
  if (scores.empty()) return InvalidArgument("there is nothing to choose from");
  const ExponentialMechanism& mechanism = spend.mechanism();
  NoisyChoice choice{.index = SampleExponential(scores, mechanism.epsilon, mechanism.sensitivity, noise),
                     .provenance = noise.Provenance()};
  RETURN_IF_ERROR(spend.Record(EncodeChoice(choice.index, scores.size()), choice.provenance));
  return choice;
}

}  // namespace flaim
