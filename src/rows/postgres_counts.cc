#include "rows/postgres_counts.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "base/status.h"
#include "data/csv_reader.h"
#include "data/message_text.h"
#include "data/types/number_text.h"
#include "marginal/kernels/count.h"

namespace flaim {
namespace {

absl::StatusOr<std::size_t> CellOf(const Schema& schema, const Clique& clique, std::span<const std::string_view> fields,
                                   const std::string& table) {
  std::size_t cell = 0;
  for (std::size_t i = 0; i < clique.attributes().size(); ++i) {
    const Column& column = schema.columns()[static_cast<std::size_t>(clique.attributes()[i])];
    const std::string_view text = schema.spec().trim_blanks ? TrimBlanks(fields[i]) : fields[i];
    const Encoded encoded = column.Encode(text);
    if (encoded.outcome != EncodeOutcome::kExact) {
      return InvalidArgument("{}: column {}: {}", table, QuoteForMessage(column.name()),
                             column.Explain(text, encoded.outcome));
    }
    cell = cell * column.size() + encoded.code;
  }
  return cell;
}

absl::Status AddCounts(CsvReader& reader, const Schema& schema, const Clique& clique, std::span<std::int64_t> counts) {
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, reader.Next());
    if (!has_row) return absl::OkStatus();
    const std::span<const std::string_view> fields = reader.fields();
    const std::optional<std::int64_t> count = ParseInteger(fields.back());
    if (fields.size() != clique.attributes().size() + 1 || !count) {
      return FailedPrecondition("{}: the database does not answer as PostgreSQL does", reader.name());
    }
    ASSIGN_OR_RETURN(const std::size_t cell, CellOf(schema, clique, fields, reader.name()));
    counts[cell] += *count;
  }
}

absl::StatusOr<std::size_t> CountableCells(const Domain& domain, const Clique& clique) {
  ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, clique));
  if (cells > kMaxCountedCells) {
    return ResourceExhausted("the marginal over {} has {} cells, more than the limit of {}: use fewer columns or bins",
                             CliqueName(domain, clique), cells, kMaxCountedCells);
  }
  return static_cast<std::size_t>(cells);
}

absl::Status WithoutSnapshot(const absl::Status& cause) {
  return {cause.code(),
          fmt::format("{}. The database can no longer be asked as of the moment when its table was opened, and another "
                      "moment would mix two states of the table; start again",
                      std::string(cause.message()))};
}

}  // namespace

absl::StatusOr<std::unique_ptr<PostgresCounts>> PostgresCounts::Open(PostgresTable table, Schema schema,
                                                                     ProgressSink& progress) {
  std::unique_ptr<PostgresCounts> rows(new PostgresCounts(std::move(table), std::move(schema)));
  RETURN_IF_ERROR(rows->CountColumns(progress));
  return rows;
}

absl::Status PostgresCounts::CountColumns(ProgressSink& progress) {
  const auto columns = static_cast<std::uint64_t>(domain().size());
  for (AttributeIndex column = 0; column < domain().size(); ++column) {
    const auto done = static_cast<std::uint64_t>(column);
    progress.Report({.step = "counting columns", .done = done, .total = columns, .detail = ""});
    const Clique clique({column});
    ASSIGN_OR_RETURN(const std::vector<std::int64_t> counts, Ask(clique));
    Keep(clique, counts);
  }
  progress.Report({.step = "counting columns", .done = columns, .total = columns, .detail = ""});
  return absl::OkStatus();
}

absl::StatusOr<CliqueCounts> PostgresCounts::Count(std::span<const Clique> cliques, Parallel&) {
  for (const Clique& clique : cliques) RETURN_IF_ERROR(CountableCells(domain(), clique).status());
  ASSIGN_OR_RETURN(CliqueCounts counts, CliqueCounts::Zero(domain(), cliques));
  for (std::size_t i = 0; i < cliques.size(); ++i) RETURN_IF_ERROR(CountInto(cliques[i], counts.Mutable(i)));
  return counts;
}

absl::Status PostgresCounts::CountInto(const Clique& clique, std::span<std::int64_t> cells) {
  if (const auto found = kept_.find(clique); found != kept_.end()) {
    std::copy(found->second.begin(), found->second.end(), cells.begin());
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(failure_);
  const absl::StatusOr<std::vector<std::int64_t>> counts = Ask(clique);
  RETURN_IF_ERROR(failure_);
  RETURN_IF_ERROR(counts.status());
  std::copy(counts->begin(), counts->end(), cells.begin());
  Keep(clique, *counts);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::int64_t>> PostgresCounts::Ask(const Clique& clique) {
  ASSIGN_OR_RETURN(const std::size_t cells, CountableCells(domain(), clique));
  std::vector<std::int64_t> counts(cells);
  absl::StatusOr<std::unique_ptr<ByteSource>> answer = table_.Counts(clique);
  absl::Status status = answer.status();
  if (status.ok()) {
    CsvReader reader(*std::move(answer), {});
    status = AddCounts(reader, schema_, clique, counts);
  }
  if (status.ok()) return counts;
  failure_ = WithoutSnapshot(status);
  return status;
}

void PostgresCounts::Keep(const Clique& clique, const std::vector<std::int64_t>& counts) {
  const auto cells = static_cast<std::int64_t>(counts.size());
  if (cells > kMaxKeptCells - kept_cells_) return;
  if (kept_.emplace(clique, counts).second) kept_cells_ += cells;
}

}  // namespace flaim
