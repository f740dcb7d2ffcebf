#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "base/progress.h"
#include "data/schema/schema.h"
#include "federation/client_rows.h"
#include "runtime/rows/postgres_table.h"

namespace flaim::runtime {

// Rows that stay in their database, which counts them: one GROUP BY for each marginal, whose distinct rows are encoded
// one after the other and added up. Takes the memory of the counts, whatever the number of rows. Because the table is
// of one moment, counts that were asked before can be kept; as many are as fit into kMaxKeptCells.
//
// After an error of the database every answer that was not kept is that error: another connection would see another
// moment.
class PostgresCounts final : public ClientRows {
 public:
  static constexpr std::int64_t kMaxKeptCells = std::int64_t{1} << 24;  // 128 MiB

  // Counts each column once, so that values that the schema does not allow are refused here and not in the middle of a
  // run; in the words of ReadTable, but without a line.
  static absl::StatusOr<std::unique_ptr<PostgresCounts>> Open(PostgresTable table, Schema schema,
                                                              ProgressSink& progress);

  const Domain& domain() const override { return schema_.domain(); }
  absl::StatusOr<std::vector<std::int64_t>> Count(const Clique& clique) override;
  absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares) override;

 private:
  PostgresCounts(PostgresTable table, Schema schema) : table_(std::move(table)), schema_(std::move(schema)) {}

  absl::Status CountColumns(ProgressSink& progress);
  absl::StatusOr<std::vector<std::int64_t>> Ask(const Clique& clique);
  void Keep(const Clique& clique, const std::vector<std::int64_t>& counts);

  PostgresTable table_;
  Schema schema_;
  std::map<Clique, std::vector<std::int64_t>> kept_;
  std::int64_t kept_cells_ = 0;
  absl::Status failure_;
};

}  // namespace flaim::runtime
