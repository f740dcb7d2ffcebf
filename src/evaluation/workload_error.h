#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/counted_table.h"
#include "marginal/workload.h"
#include "model/inference/model.h"

namespace flaim {

// How far synthetic data is from the truth: the mean over marginals of the L1 distance between probabilities, from 0
// (the same) to 2 (nothing in common). Every marginal counts once; the weights of the workload play no part.
//
// It is computed from the true rows without noise, so it is as private as they are. For experiments on public data.
struct WorkloadError {
  double queries = 0;  // over the workload's own queries: what the paper's tables show
  double closure = 0;  // over the downward closure of the workload, each subset of a query once

  bool operator==(const WorkloadError&) const = default;
};

// A table whose marginals were counted once, to compare any number of synthetic tables and models with. Both sides are
// normalised by their own number of rows, which may differ.
//
// The counts stay in memory when they have at most max_kept_cells cells, 8 bytes each, and those of a synthetic table
// do the same while it is compared. Otherwise marginals are counted and compared one by one, which is slower and takes
// the memory of the largest of them.
//
// Many threads may compare at once.
class WorkloadTruth {
 public:
  static constexpr std::int64_t kDefaultKeptCells = std::int64_t{1} << 26;

  // Refuses a table without rows, a query whose closure is too large to list, and a marginal too large to count.
  // REQUIRES: the workload was made for the domain of the table.
  static absl::StatusOr<WorkloadTruth> Create(const Table& truth, const Workload& workload, Parallel& parallel,
                                              std::int64_t max_kept_cells = kDefaultKeptCells);

  // Refuses rows over another domain, and no rows.
  absl::StatusOr<WorkloadError> ErrorOf(const Table& synthetic, Parallel& parallel) const;

  // Of the model's own marginals: the limit that many rows drawn from it approach. Refuses a model of another domain.
  absl::StatusOr<WorkloadError> ErrorOf(const Model& model, Parallel& parallel) const;

  // What stays in memory between comparisons.
  std::int64_t kept_cells() const { return counts_.IsKept() ? cells_ : 0; }

 private:
  WorkloadTruth(const Table& truth, const Workload& workload, std::vector<Clique> closure, CountedTable counts,
                std::int64_t max_kept_cells);

  absl::Status CheckDomain(const Domain& domain) const;
  // One distance for each clique of the closure.
  WorkloadError MeanOf(std::span<const double> distances) const;

  Domain domain_;
  std::vector<Clique> closure_;
  std::vector<bool> is_query_;  // of the cliques of the closure
  CountedTable counts_;
  double rows_;
  std::int64_t max_kept_cells_;
  std::int64_t cells_ = 0;  // of the closure
};

}  // namespace flaim
