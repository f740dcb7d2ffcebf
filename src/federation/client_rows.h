#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "data/table/table.h"
#include "marginal/public_shares.h"

namespace flaim {

// What a client can find out about its own rows: exact, so private until noise is added. A table in memory answers, or
// a database that does the counting itself.
class ClientRows {
 public:
  virtual ~ClientRows() = default;

  virtual const Domain& domain() const = 0;
  // Of each cell of the clique, in its memory order.
  virtual absl::StatusOr<std::vector<std::int64_t>> Count(const Clique& clique) = 0;
  // REQUIRES: the shares are over the clique's cells.
  virtual absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares) = 0;
};

// Rows in memory. The meter, one for each thread, outlives it.
class TableRows final : public ClientRows {
 public:
  TableRows(const Table& table, ShareDistanceMeter& meter) : table_(table), meter_(meter) {}

  const Domain& domain() const override { return table_.domain(); }
  absl::StatusOr<std::vector<std::int64_t>> Count(const Clique& clique) override;
  absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares) override {
    return meter_.Measure(table_, clique, shares);
  }

 private:
  Table table_;
  ShareDistanceMeter& meter_;
};

}  // namespace flaim
