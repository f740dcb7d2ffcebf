#include "simulation/research/oracle.h"

#include <algorithm>

#include "base/check.h"
#include "base/status.h"
#include "marginal/kernels/count.h"

namespace flaim {

const PublicShares& Oracle::SharesOf(const Clique& clique) {
  const auto known = shares_.find(clique);
  if (known != shares_.end()) return known->second;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(CellCount(everybody_.domain(), clique).value()));
  CountClique(everybody_, clique, counts);
  std::vector<double> shares(counts.begin(), counts.end());
  if (everybody_.rows() == 0) std::fill(shares.begin(), shares.end(), 1.0);
  return shares_.emplace(clique, PublicShares(shares)).first->second;
}

std::vector<const PublicShares*> Oracle::SharesOf(std::span<const WeightedQuery> candidates) {
  std::vector<const PublicShares*> shares;
  for (const WeightedQuery& query : candidates) shares.push_back(&SharesOf(query.clique));
  return shares;
}

void Oracle::Note(std::int64_t round, const Clique& clique, Contributors contributors, std::int64_t rows) {
  rows_in_[{round, clique, contributors}] = rows;
}

std::int64_t Oracle::RowsIn(std::int64_t round, const Clique& clique, Contributors contributors) const {
  const auto noted = rows_in_.find({round, clique, contributors});
  CHECK(noted != rows_in_.end(), "no sum of round {} has this marginal", round);
  return noted->second;
}

absl::StatusOr<std::vector<ScaledDistance>> TrueHeterogeneity(PrivateRows& rows,
                                                              std::span<const WeightedQuery> candidates,
                                                              std::span<const PublicShares* const> everybody) {
  std::vector<ScaledDistance> heterogeneity;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    ASSIGN_OR_RETURN(const ShareDistance distance, rows.Distance(candidates[i].clique, *everybody[i]));
    heterogeneity.push_back(distance.Scaled());
  }
  return heterogeneity;
}

}  // namespace flaim
