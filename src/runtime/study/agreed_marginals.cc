#include "runtime/study/agreed_marginals.h"

#include "base/status.h"

namespace flaim::runtime {

absl::StatusOr<AgreedMarginals> AgreedMarginals::Create(const Workload& workload, WeightBase weights) {
  ASSIGN_OR_RETURN(const std::vector<WeightedQuery> completion, WeightedCompletion(workload, weights));
  std::map<Clique, std::int64_t> weight_of;
  for (const auto& [clique, weight] : completion) weight_of.emplace(clique, weight);
  return AgreedMarginals(std::move(weight_of));
}

bool AgreedMarginals::MayBeCounted(const Clique& clique) const {
  return clique.size() == 1 || weights_.contains(clique);
}

bool AgreedMarginals::MayBeChosen(const WeightedQuery& candidate) const {
  const auto agreed = weights_.find(candidate.clique);
  return agreed != weights_.end() && agreed->second == candidate.weight;
}

}  // namespace flaim::runtime
