#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/inference/clique_layout.h"
#include "model/kernels/cell_map.h"

namespace flaim {

// Tables over several cliques are consistent when they agree on every set of attributes that they share, and on the
// total. Marginals of one distribution are; noisy ones are not, and what they disagree about no distribution can fit.
//
// Projects tables to the nearest consistent ones, where a cell of clique q counts with weight w_q. In closed form: the
// space of tables over q splits into one orthogonal part for each subset S of q, the pure interaction of S (what is
// left of the marginal over S after the means along every axis are taken off). A part that several cliques see is
// replaced by its inverse-variance mean; clique q sees the part of S with precision w_q n_S / n_q. Only sets that are
// in two or more cliques need any work.
class ConsistentSubspace {
 public:
  // REQUIRES: one positive weight for each clique of the layout, no clique twice.
  ConsistentSubspace(const Domain& domain, const CliqueLayout& layout, std::span<const double> clique_weights);

  // Replaces `values` by the nearest consistent tables that each sum to `total`. REQUIRES: as many as the layout has.
  void Project(std::span<double> values, double total);

 private:
  struct Owner {
    std::int64_t offset;  // of the clique's table
    std::int64_t cells;
    CellMap map;
    double precision;
    std::int64_t scratch;  // where its part of the shared set is worked out
  };
  struct SharedSet {
    std::vector<std::int64_t> sizes;
    std::int64_t cells = 1;
    std::vector<Owner> owners;
    double precision = 0;
  };

  void ProjectShared(const SharedSet& shared, std::span<double> values);

  CliqueLayout layout_;
  std::vector<SharedSet> shared_;
  std::vector<double> parts_;
  std::vector<double> mean_;
};

}  // namespace flaim
