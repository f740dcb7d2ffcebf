#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "data/table/table.h"
#include "federation/requests.h"
#include "marginal/private_rows.h"
#include "marginal/public_shares.h"

namespace flaim {

// Knows everybody's rows, and what is really in a sum. The paper's Oracle and the published code need one; nobody may
// have one, so it exists in simulations only and whatever was made with it is stamped NOT PRIVATE. Not thread-safe.
class Oracle {
 public:
  // `guides_choices`: whether it tells each client how unlike everybody its rows are.
  Oracle(const Table& everybody, bool guides_choices) : everybody_(everybody), guides_choices_(guides_choices) {}

  std::int64_t rows() const { return static_cast<std::int64_t>(everybody_.rows()); }
  bool guides_choices() const { return guides_choices_; }

  // The marginals of everybody's rows for each candidate. Valid as long as the oracle.
  std::vector<const PublicShares*> SharesOf(std::span<const WeightedQuery> candidates);

  // What a simulated federation has really added up.
  void Note(std::int64_t round, const Clique& clique, Contributors contributors, std::int64_t rows);
  // REQUIRES: it was noted.
  std::int64_t RowsIn(std::int64_t round, const Clique& clique, Contributors contributors) const;

 private:
  const PublicShares& SharesOf(const Clique& clique);

  Table everybody_;
  bool guides_choices_;
  std::map<Clique, PublicShares> shares_;
  std::map<std::tuple<std::int64_t, Clique, Contributors>, std::int64_t> rows_in_;
};

// tau of Algorithm 1 as the Oracle has it: how far the client's marginals are from everybody's, for each candidate.
absl::StatusOr<std::vector<ScaledDistance>> TrueHeterogeneity(PrivateRows& rows,
                                                              std::span<const WeightedQuery> candidates,
                                                              std::span<const PublicShares* const> everybody);

}  // namespace flaim
