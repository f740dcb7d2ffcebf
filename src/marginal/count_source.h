#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/clique.h"
#include "marginal/clique_counts.h"

namespace flaim {

// Where the exact counts of one private table come from: rows in memory, or an engine elsewhere that holds them and
// counts them itself. What it says is private until noise is added.
class CountSource {
 public:
  virtual ~CountSource() = default;

  virtual const Domain& domain() const = 0;
  // Of all cells of each clique, row-major in sorted attribute order.
  virtual absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) = 0;
  // The same of one clique. REQUIRES: `cells` has an entry for each cell.
  virtual absl::Status CountOne(const Clique& clique, std::span<std::int64_t> cells) = 0;
};

class TableSource final : public CountSource {
 public:
  explicit TableSource(const Table& table) : table_(table) {}

  const Domain& domain() const override { return table_.domain(); }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override;
  absl::Status CountOne(const Clique& clique, std::span<std::int64_t> cells) override;

 private:
  Table table_;
};

}  // namespace flaim
