#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/clique.h"
#include "marginal/clique_counts.h"
#include "marginal/public_shares.h"

namespace flaim {

// Whoever has the rows of one private table: memory, or an engine elsewhere that counts them itself. What it says is
// exact, so private until noise is added. Methods, sites and simulated clients see rows through this and nothing else.
// Not thread-safe.
class PrivateRows {
 public:
  virtual ~PrivateRows() = default;

  virtual const Domain& domain() const = 0;
  // Of all cells of each clique, row-major in sorted attribute order. An error if the rows cannot be asked, which those
  // in memory always can, or if the counts are too many.
  virtual absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) = 0;
  // Whether Count answers for every clique; counts that somebody made beforehand may be of those of one workload only.
  virtual bool CountsAnyClique() const { return true; }
  // How far a marginal is from what public shares expect; follows from its counts unless there is a faster way. An
  // error above kMaxMeasuredRows. REQUIRES: the shares are over the clique's cells.
  virtual absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares);

  // Of one clique, on this thread.
  absl::StatusOr<std::vector<std::int64_t>> CountOne(const Clique& clique);
};

// Rows in memory.
class TableRows final : public PrivateRows {
 public:
  explicit TableRows(const Table& table);
  // For one table after the other. The meter, one for each thread, outlives it.
  TableRows(const Table& table, ShareDistanceMeter& meter);
  ~TableRows() override;
  TableRows(const TableRows&) = delete;
  TableRows& operator=(const TableRows&) = delete;

  const Domain& domain() const override { return table_.domain(); }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override;
  absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares) override;

 private:
  Table table_;
  ShareDistanceMeter own_meter_;
  ShareDistanceMeter& meter_;
};

}  // namespace flaim
