#include "federation/model_shares.h"

namespace flaim {

std::vector<PublicShares> SharesOf(const Model& model, std::span<const Clique> cliques) {
  MarginalQuery query = model.Query();
  std::vector<PublicShares> shares;
  shares.reserve(cliques.size());
  for (const Clique& clique : cliques) shares.emplace_back(query.Answer(clique));
  return shares;
}

std::vector<PublicShares> SharesOf(const Model& model, std::span<const WeightedQuery> queries) {
  std::vector<Clique> cliques;
  cliques.reserve(queries.size());
  for (const WeightedQuery& query : queries) cliques.push_back(query.clique);
  return SharesOf(model, cliques);
}

std::vector<PublicShares> OneWaySharesOf(const Model& model) {
  std::vector<Clique> cliques;
  for (AttributeIndex attribute = 0; attribute < model.domain().size(); ++attribute) {
    cliques.push_back(Clique({attribute}));
  }
  return SharesOf(model, cliques);
}

}  // namespace flaim
