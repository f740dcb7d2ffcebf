#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "marginal/clique.h"

namespace flaim {

// The counts of many cliques, in one piece of zeroed memory. Counting a few hundred marginals costs more in page faults
// than in additions when each has a vector of its own, so large blocks are mapped at once and ask for huge pages.
// Movable, not copyable.
class CliqueCounts {
 public:
  // All zero. An error if the cells do not fit into memory.
  static absl::StatusOr<CliqueCounts> Zero(const Domain& domain, std::span<const Clique> cliques);

  std::size_t size() const { return begin_of_clique_.size() - 1; }
  // The cells of one clique, row-major, the last attribute fastest.
  std::span<const std::int64_t> operator[](std::size_t clique) const { return CellsOf(clique); }
  std::span<std::int64_t> Mutable(std::size_t clique) { return CellsOf(clique); }

 private:
  struct Release {
    std::size_t mapped_bytes = 0;  // 0 when the memory is from the heap
    void operator()(std::int64_t* cells) const;
  };
  using Cells = std::unique_ptr<std::int64_t[], Release>;

  static Cells Allocate(std::size_t cells);
  CliqueCounts(Cells cells, std::vector<std::size_t> begin_of_clique)
      : cells_(std::move(cells)), begin_of_clique_(std::move(begin_of_clique)) {}

  std::span<std::int64_t> CellsOf(std::size_t clique) const {
    return {cells_.get() + begin_of_clique_[clique], begin_of_clique_[clique + 1] - begin_of_clique_[clique]};
  }

  Cells cells_;
  std::vector<std::size_t> begin_of_clique_;
};

}  // namespace flaim
