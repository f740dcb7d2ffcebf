#pragma once

#include <span>
#include <vector>

#include "marginal/public_shares.h"
#include "marginal/workload.h"
#include "model/inference/model.h"

namespace flaim {

// What a model expects of marginals, in the form that clients compare their rows with. Whoever asks works it out from
// the model, and so does a site that was sent the model: the same numbers.
std::vector<PublicShares> SharesOf(const Model& model, std::span<const Clique> cliques);
std::vector<PublicShares> SharesOf(const Model& model, std::span<const WeightedQuery> queries);
// Of each attribute.
std::vector<PublicShares> OneWaySharesOf(const Model& model);

}  // namespace flaim
