#include "federation/model_view.h"

#include "base/check.h"

namespace flaim {

const Model& ModelView::model() const {
  CHECK(HasModel(), "a request that compares rows with a model has none");
  return *model_;
}

std::vector<PublicShares> ModelView::SharesOf(std::span<const Clique> cliques) const {
  MarginalQuery query = model().Query();
  std::vector<PublicShares> shares;
  shares.reserve(cliques.size());
  for (const Clique& clique : cliques) shares.emplace_back(query.Answer(clique));
  return shares;
}

std::vector<PublicShares> ModelView::SharesOf(std::span<const WeightedQuery> queries) const {
  std::vector<Clique> cliques;
  cliques.reserve(queries.size());
  for (const WeightedQuery& query : queries) cliques.push_back(query.clique);
  return SharesOf(cliques);
}

std::vector<PublicShares> ModelView::OneWayShares() const {
  std::vector<Clique> cliques;
  for (AttributeIndex attribute = 0; attribute < model().domain().size(); ++attribute) {
    cliques.push_back(Clique({attribute}));
  }
  return SharesOf(cliques);
}

}  // namespace flaim
