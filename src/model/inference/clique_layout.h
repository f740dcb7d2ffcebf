#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/table/domain.h"
#include "marginal/clique.h"

namespace flaim {

// How one number for each cell of each of several cliques lies in one flat vector: potentials, marginals and gradients
// all have this shape. Each clique's table is row-major in sorted attribute order, as counts are.
class CliqueLayout {
 public:
  // REQUIRES: the attributes are in the domain and the cells fit into memory.
  CliqueLayout(const Domain& domain, std::vector<Clique> cliques);

  int size() const { return static_cast<int>(cliques_.size()); }
  const std::vector<Clique>& cliques() const { return cliques_; }
  std::int64_t cells() const { return offsets_.back(); }
  std::int64_t offset(int clique) const { return offsets_[clique]; }

  template <typename Number>
  std::span<Number> Slice(std::span<Number> flat, int clique) const {
    return flat.subspan(offsets_[clique], offsets_[clique + 1] - offsets_[clique]);
  }

 private:
  std::vector<Clique> cliques_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace flaim
