#include "model/inference/clique_layout.h"

#include <utility>

namespace flaim {

CliqueLayout::CliqueLayout(const Domain& domain, std::vector<Clique> cliques) : cliques_(std::move(cliques)) {
  offsets_.push_back(0);
  for (const Clique& clique : cliques_) offsets_.push_back(offsets_.back() + CellCount(domain, clique).value());
}

}  // namespace flaim
