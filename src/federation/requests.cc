#include "federation/requests.h"

#include "base/status.h"
#include "marginal/sensitivity.h"

namespace flaim {
namespace {

std::vector<std::int64_t> WeightsOf(const std::vector<WeightedQuery>& candidates) {
  std::vector<std::int64_t> weights;
  weights.reserve(candidates.size());
  for (const WeightedQuery& candidate : candidates) weights.push_back(candidate.weight);
  return weights;
}

}  // namespace

GaussianMechanism MechanismOf(const CountsRequest& request) {
  const std::size_t marginals = request.contributors == Contributors::kEverybody
                                    ? request.cliques.size()
                                    : static_cast<std::size_t>(request.choices_per_client);
  return {request.sigma_squared, CountsSensitivitySquared(marginals)};
}

GaussianMechanism MechanismOf(const ScoresRequest& request) {
  return {request.sigma_squared, SummedScoresSensitivitySquared(request.candidates.size())};
}

absl::StatusOr<ExponentialMechanism> MechanismOf(const SumSelection& request) {
  ASSIGN_OR_RETURN(const std::int64_t sensitivity, ScoreSensitivity(WeightsOf(request.candidates)));
  return ExponentialMechanism{request.epsilon, sensitivity};
}

absl::StatusOr<ExponentialMechanism> MechanismOf(const LocalSelection& request) {
  const std::vector<std::int64_t> weights = WeightsOf(request.candidates);
  ASSIGN_OR_RETURN(const std::int64_t sensitivity, request.heterogeneity == Heterogeneity::kIgnored
                                                       ? ShareScoreSensitivity(weights)
                                                       : AugmentedShareScoreSensitivity(weights));
  return ExponentialMechanism{request.epsilon, sensitivity};
}

}  // namespace flaim
