#include "federation/model_view.h"

#include "base/check.h"
#include "base/status.h"

namespace flaim {

const Model& ModelView::model() const {
  CHECK(HasModel(), "a request that compares rows with a model has none");
  return *model_;
}

absl::StatusOr<std::vector<PublicShares>> ModelView::SharesOf(std::span<const Clique> cliques,
                                                              Parallel& parallel) const {
  MarginalQuery query = model().Query();
  std::vector<PublicShares> shares;
  shares.reserve(cliques.size());
  for (const Clique& clique : cliques) {
    RETURN_IF_ERROR(parallel.StopIfAsked());
    shares.emplace_back(query.Answer(clique));
  }
  return shares;
}

absl::StatusOr<std::vector<PublicShares>> ModelView::SharesOf(std::span<const WeightedQuery> queries,
                                                              Parallel& parallel) const {
  std::vector<Clique> cliques;
  cliques.reserve(queries.size());
  for (const WeightedQuery& query : queries) cliques.push_back(query.clique);
  return SharesOf(cliques, parallel);
}

absl::StatusOr<std::vector<PublicShares>> ModelView::OneWayShares(Parallel& parallel) const {
  std::vector<Clique> cliques;
  for (AttributeIndex attribute = 0; attribute < model().domain().size(); ++attribute) {
    cliques.push_back(Clique({attribute}));
  }
  return SharesOf(cliques, parallel);
}

}  // namespace flaim
