#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "model/inference/belief_propagation.h"
#include "model/inference/levels.h"
#include "model/inference/marginal_query.h"

namespace flaim {

// A distribution over all records of a domain, and a number of records: what is learnt from noisy marginals, and what
// queries are answered and rows are drawn from. Potentials over cliques, calibrated on a junction tree. Immutable,
// movable, not copyable; safe to read from many threads.
//
// With levels, the tree and its potentials are over bins of values, and all else is over values: records, marginals,
// densities, evidence and rows.
class Model {
 public:
  // Builds the tree and calibrates it. Potentials are laid out as CliqueLayout(domain, cliques) says; -infinity marks
  // what cannot occur. Refuses a tree of more than max_cells cells, NaN or +infinity, a total that is not positive, and
  // potentials that exclude every record.
  static absl::StatusOr<Model> Create(const Domain& domain, std::vector<Clique> cliques, std::vector<double> potentials,
                                      double total, std::int64_t max_cells, Parallel& parallel);

  // REQUIRES: the last run of `calibrated` was on these potentials and gave log_partition, which is finite.
  Model(std::unique_ptr<BeliefPropagation> calibrated, std::vector<double> potentials, double log_partition,
        double total);

  // Of the records.
  const Domain& domain() const { return levels_ ? levels_->bins().values() : tree().domain(); }
  // The tree's domain is that of the bins, and the same as domain() without levels. So are layout, potentials and node
  // marginals.
  const JunctionTree& tree() const { return calibrated_->tree(); }
  const CliqueLayout& layout() const { return calibrated_->layout(); }
  std::span<const double> potentials() const { return potentials_; }
  double log_partition() const { return log_partition_; }
  // The number of records, as estimated: public.
  double total() const { return total_; }
  // The same distribution over another number of records. REQUIRES: positive.
  Model WithTotal(double total) &&;

  // The values inside the bins that the tree is over; null where it is over values.
  const Levels* levels() const { return levels_.get(); }
  // The same distribution over bins, divided among the values in them. REQUIRES: a model without levels, over the bins.
  Model WithLevels(Levels levels) &&;

  // The joint distribution of a node's attributes, in the node's memory order.
  std::span<const double> NodeMarginal(int node) const { return calibrated_->NodeMarginal(node); }

  // Answers marginals over any cliques, with shared work. Must not outlive the model.
  MarginalQuery Query() const { return MarginalQuery(*calibrated_, levels()); }
  // The same over the tree's domain.
  MarginalQuery QueryBins() const { return MarginalQuery(*calibrated_); }

  // log P(record), -infinity for an impossible one. REQUIRES: one code for each attribute, each below its size.
  double LogDensity(std::span<const std::uint32_t> record) const;

 private:
  std::unique_ptr<BeliefPropagation> calibrated_;
  std::unique_ptr<const Levels> levels_;
  std::vector<double> potentials_;
  double log_partition_;
  double total_;
};

}  // namespace flaim
