#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/progress.h"
#include "data/schema.h"
#include "marginal/private_rows.h"
#include "rows/postgres_table.h"

namespace flaim {

// Rows that stay in their database, which counts them: one GROUP BY for each marginal, whose distinct rows are encoded
// one after the other and added up. Takes the memory of the counts, whatever the number of rows. Because the table is
// of one moment, counts that were asked before can be kept; as many are as fit into kMaxKeptCells.
//
// After an error of the database every answer that was not kept is that error: another connection would see another
// moment.
class PostgresCounts final : public PrivateRows {
 public:
  static constexpr std::int64_t kMaxKeptCells = std::int64_t{1} << 24;  // 128 MiB

  // Counts each column once, so that values that the schema does not allow are refused here and not in the middle of a
  // run; in the words of ReadTable, but without a line.
  static absl::StatusOr<std::unique_ptr<PostgresCounts>> Open(PostgresTable table, Schema schema,
                                                              ProgressSink& progress);

  const Domain& domain() const override { return schema_.domain(); }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override;

 private:
  PostgresCounts(PostgresTable table, Schema schema) : table_(std::move(table)), schema_(std::move(schema)) {}

  absl::Status CountColumns(ProgressSink& progress);
  absl::Status CountInto(const Clique& clique, std::span<std::int64_t> cells);
  absl::StatusOr<std::vector<std::int64_t>> Ask(const Clique& clique);
  void Keep(const Clique& clique, const std::vector<std::int64_t>& counts);

  PostgresTable table_;
  Schema schema_;
  std::map<Clique, std::vector<std::int64_t>> kept_;
  std::int64_t kept_cells_ = 0;
  absl::Status failure_;
};

}  // namespace flaim
