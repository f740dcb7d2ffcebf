#include "marginal/count_source.h"

#include "marginal/kernels/count.h"

namespace flaim {

absl::StatusOr<CliqueCounts> TableSource::Count(std::span<const Clique> cliques, Parallel& parallel) {
  return CountCliques(table_, cliques, parallel);
}

absl::Status TableSource::CountOne(const Clique& clique, std::span<std::int64_t> cells) {
  CountClique(table_, clique, cells);
  return absl::OkStatus();
}

}  // namespace flaim
