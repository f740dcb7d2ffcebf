#pragma once

#include <span>

#include "marginal/private_rows.h"

namespace flaim::runtime {

// A site's rows, as a sum asks for them. Whatever goes wrong with them is the site's own trouble, so Internal: no code
// of theirs can be taken for a word of its account. A text that may quote a row (InvalidArgument, as the readers of
// rows say) is left out, because errors of a sum are logged.
//
// Every question first asks the team whether it is still wanted: a sum asks thousands of them.
class GuardedRows final : public PrivateRows {
 public:
  // Both must outlive it.
  GuardedRows(PrivateRows& rows, Parallel& parallel) : rows_(rows), parallel_(parallel) {}

  const Domain& domain() const override { return rows_.domain(); }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override;
  absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares) override;

 private:
  PrivateRows& rows_;
  Parallel& parallel_;
};

}  // namespace flaim::runtime
