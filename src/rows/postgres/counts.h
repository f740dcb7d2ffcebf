#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/progress.h"
#include "data/schema/schema.h"
#include "data/schema/unfit_rule.h"
#include "marginal/private_rows.h"
#include "rows/postgres/code.h"
#include "rows/postgres/table.h"

namespace flaim {

// Rows that stay in their database, which counts them: once the different values of each column, and from then on
// combinations of codes, many marginals in one pass. Takes the memory of the counts, whatever the number of rows.
// Because the table is of one moment, counts that were asked before can be kept; as many are as fit into kMaxKeptCells.
//
// After an error of the database every answer that was not kept is that error: another connection would see another
// moment.
class PostgresCounts final : public PrivateRows {
 public:
  static constexpr std::int64_t kMaxKeptCells = std::int64_t{1} << 24;  // 128 MiB
  // In one pass over the table.
  static constexpr std::size_t kMaxCliquesAtOnce = 32;
  static constexpr std::int64_t kMaxCellsAtOnce = std::int64_t{1} << 22;

  // Reads the values of each column once, so that those that the schema does not allow are refused here and not in the
  // middle of a run (in the words of ReadTable, but without a line), or go where the rule says.
  static absl::StatusOr<std::unique_ptr<PostgresCounts>> Open(PostgresTable table, Schema schema, UnfitRule unfit,
                                                              ProgressSink& progress);

  // How many rows have a value that does not fit. For their owner alone.
  std::int64_t unfit_rows() const { return unfit_rows_; }

  const Domain& domain() const override { return schema_.domain(); }
  // Cancelled, also in the middle of a statement, if the team is to stop.
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override;

 private:
  // Where the counts of a clique belong.
  using Cells = std::span<std::int64_t>;
  using Wanted = std::map<Clique, Cells>;

  PostgresCounts(PostgresTable table, Schema schema, UnfitRule unfit)
      : table_(std::move(table)), schema_(std::move(schema)), unfit_(unfit) {}

  absl::Status ReadColumns(ProgressSink& progress);
  absl::StatusOr<std::vector<std::int64_t>> ReadColumn(AttributeIndex column, const PostgresSnapshot::GoOn& go_on);
  absl::Status CountUnfitRows(std::int64_t rows, const PostgresSnapshot::GoOn& go_on);
  absl::Status Ask(const Wanted& wanted, const PostgresSnapshot::GoOn& go_on);
  absl::Status AskAtOnce(const Wanted& wanted, PostgresTable::Which which, const PostgresSnapshot::GoOn& go_on);
  absl::Status AddLine(std::span<const AttributeIndex> attributes, std::span<const std::string_view> fields,
                       const Wanted& wanted) const;
  // What the rule makes of a text; `fits` tells whether it had to.
  absl::StatusOr<PostgresCode::Value> Encode(AttributeIndex column, std::string_view text) const;
  absl::StatusOr<std::uint32_t> CodeOf(AttributeIndex column, std::string_view answer) const;
  absl::Status Odd() const;
  void Keep(const Clique& clique, std::span<const std::int64_t> counts);

  PostgresTable table_;
  Schema schema_;
  UnfitRule unfit_;
  std::int64_t unfit_rows_ = 0;
  std::vector<PostgresCode> codes_;  // of each column
  std::map<Clique, std::vector<std::int64_t>> kept_;
  std::int64_t kept_cells_ = 0;
  absl::Status failure_;
};

}  // namespace flaim
