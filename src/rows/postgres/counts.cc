#include "rows/postgres/counts.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "base/status.h"
#include "data/csv/csv_reader.h"
#include "io/message_text.h"
#include "io/number_text.h"
#include "marginal/kernels/count.h"
#include "rows/postgres/copy_source.h"

namespace flaim {
namespace {

absl::StatusOr<std::int64_t> CountableCells(const Domain& domain, const Clique& clique) {
  ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, clique));
  if (cells > kMaxCountedCells) {
    return ResourceExhausted("the marginal over {} has {} cells, more than the limit of {}: use fewer columns or bins",
                             CliqueName(domain, clique), cells, kMaxCountedCells);
  }
  return cells;
}

std::optional<PostgresCode::Rank> RankOf(std::string_view text) {
  if (text == "a") return PostgresCode::Rank::kAbove;
  if (text == "e") return PostgresCode::Rank::kEqual;
  if (text == "n") return PostgresCode::Rank::kNull;
  return std::nullopt;
}

// Calls `take` with the fields of each line.
template <typename Take>
absl::Status ForEachLine(absl::StatusOr<std::unique_ptr<ByteSource>> answer, Take take) {
  RETURN_IF_ERROR(answer.status());
  CsvReader reader(*std::move(answer), {.max_record_bytes = kMaxCopiedRecordBytes});
  while (true) {
    ASSIGN_OR_RETURN(const bool has_line, reader.Next());
    if (!has_line) return absl::OkStatus();
    RETURN_IF_ERROR(take(reader.fields()));
  }
}

absl::Status WithoutSnapshot(const absl::Status& cause) {
  return {cause.code(),
          fmt::format("{}. The database can no longer be asked as of the moment when its table was opened, and another "
                      "moment would mix two states of the table; start again",
                      std::string(cause.message()))};
}

}  // namespace

absl::StatusOr<std::unique_ptr<PostgresCounts>> PostgresCounts::Open(PostgresTable table, Schema schema,
                                                                     UnfitRule unfit, ProgressSink& progress) {
  RETURN_IF_ERROR(CheckUnfitRule(schema, unfit));
  std::unique_ptr<PostgresCounts> rows(new PostgresCounts(std::move(table), std::move(schema), unfit));
  RETURN_IF_ERROR(rows->ReadColumns(progress));
  return rows;
}

absl::Status PostgresCounts::ReadColumns(ProgressSink& progress) {
  const auto columns = static_cast<std::uint64_t>(domain().size());
  const PostgresSnapshot::GoOn go_on = [&progress] { return StopIfAsked(progress); };
  codes_.resize(columns);
  std::vector<std::vector<std::int64_t>> counts;
  for (AttributeIndex column = 0; column < domain().size(); ++column) {
    const auto done = static_cast<std::uint64_t>(column);
    progress.Report({.step = "counting columns", .done = done, .total = columns, .detail = ""});
    RETURN_IF_ERROR(StopIfAsked(progress));
    ASSIGN_OR_RETURN(counts.emplace_back(), ReadColumn(column, go_on));
  }
  if (unfit_ != UnfitRule::kRefuse) {
    RETURN_IF_ERROR(
        CountUnfitRows(std::accumulate(counts.front().begin(), counts.front().end(), std::int64_t{0}), go_on));
  }
  const bool is_every_row_counted = unfit_ != UnfitRule::kDrop || unfit_rows_ == 0;
  for (AttributeIndex column = 0; column < domain().size() && is_every_row_counted; ++column) {
    Keep(Clique({column}), counts[static_cast<std::size_t>(column)]);
  }
  progress.Report({.step = "counting columns", .done = columns, .total = columns, .detail = ""});
  return absl::OkStatus();
}

absl::Status PostgresCounts::CountUnfitRows(std::int64_t rows, const PostgresSnapshot::GoOn& go_on) {
  std::int64_t fit = 0;
  RETURN_IF_ERROR(AskAtOnce({{Clique(), Cells(&fit, 1)}}, PostgresTable::Which::kRowsThatFit, go_on));
  unfit_rows_ = rows - fit;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::int64_t>> PostgresCounts::ReadColumn(AttributeIndex column,
                                                                     const PostgresSnapshot::GoOn& go_on) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(domain()[column].size));
  const auto take = [&](std::span<const std::string_view> fields) -> absl::Status {
    if (fields.size() != 3) return Odd();
    const std::optional<PostgresCode::Rank> rank = RankOf(fields[1]);
    const std::optional<std::int64_t> count = ParseInteger(fields[2]);
    if (!rank || !count) return Odd();
    ASSIGN_OR_RETURN(const PostgresCode::Value value, Encode(column, fields[0]));
    codes_[static_cast<std::size_t>(column)].Add(value, *rank);
    counts[value.code] += *count;
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(ForEachLine(table_.Values(column, go_on), take));
  return counts;
}

absl::StatusOr<CliqueCounts> PostgresCounts::Count(std::span<const Clique> cliques, Parallel& parallel) {
  for (const Clique& clique : cliques) RETURN_IF_ERROR(CountableCells(domain(), clique).status());
  ASSIGN_OR_RETURN(CliqueCounts counts, CliqueCounts::Zero(domain(), cliques));
  Wanted wanted;
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    if (!kept_.contains(cliques[i])) wanted.emplace(cliques[i], counts.Mutable(i));
  }
  RETURN_IF_ERROR(Ask(wanted, [&parallel] { return parallel.StopIfAsked(); }));
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    const auto asked = wanted.find(cliques[i]);
    const std::span<const std::int64_t> known =
        asked == wanted.end() ? std::span<const std::int64_t>(kept_.at(cliques[i])) : asked->second;
    if (known.data() != counts[i].data()) std::copy(known.begin(), known.end(), counts.Mutable(i).begin());
  }
  for (const auto& [clique, cells] : wanted) Keep(clique, cells);
  return counts;
}

absl::Status PostgresCounts::Ask(const Wanted& wanted, const PostgresSnapshot::GoOn& go_on) {
  const auto counted = unfit_ == UnfitRule::kDrop ? PostgresTable::Which::kRowsThatFit : PostgresTable::Which::kAllRows;
  Wanted at_once;
  std::int64_t cells_at_once = 0;
  for (const auto& [clique, cells] : wanted) {
    const bool is_full = at_once.size() == kMaxCliquesAtOnce || cells_at_once + std::ssize(cells) > kMaxCellsAtOnce;
    if (is_full && !at_once.empty()) {
      RETURN_IF_ERROR(AskAtOnce(at_once, counted, go_on));
      at_once.clear();
      cells_at_once = 0;
    }
    at_once.emplace(clique, cells);
    cells_at_once += std::ssize(cells);
  }
  return at_once.empty() ? absl::OkStatus() : AskAtOnce(at_once, counted, go_on);
}

absl::Status PostgresCounts::AskAtOnce(const Wanted& wanted, PostgresTable::Which which,
                                       const PostgresSnapshot::GoOn& go_on) {
  RETURN_IF_ERROR(failure_);
  RETURN_IF_ERROR(go_on());
  std::vector<Clique> cliques;
  std::set<AttributeIndex> all;
  for (const auto& [clique, cells] : wanted) {
    cliques.push_back(clique);
    all.insert(clique.begin(), clique.end());
  }
  const std::vector<AttributeIndex> attributes(all.begin(), all.end());
  const absl::Status status =
      ForEachLine(table_.Counts(cliques, codes_, which, go_on),
                  [&](std::span<const std::string_view> fields) { return AddLine(attributes, fields, wanted); });
  if (!status.ok()) failure_ = WithoutSnapshot(status);
  return failure_;
}

absl::Status PostgresCounts::AddLine(std::span<const AttributeIndex> attributes,
                                     std::span<const std::string_view> fields, const Wanted& wanted) const {
  const std::optional<std::int64_t> count = ParseInteger(fields.back());
  if (fields.size() != attributes.size() + 1 || !count) return Odd();
  std::vector<AttributeIndex> grouped;
  std::size_t cell = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (fields[i].empty()) continue;
    ASSIGN_OR_RETURN(const std::uint32_t code, CodeOf(attributes[i], fields[i]));
    grouped.push_back(attributes[i]);
    cell = cell * static_cast<std::size_t>(domain()[attributes[i]].size) + code;
  }
  const auto found = wanted.find(Clique(std::move(grouped)));
  if (found == wanted.end()) return Odd();
  found->second[cell] += *count;
  return absl::OkStatus();
}

absl::StatusOr<std::uint32_t> PostgresCounts::CodeOf(AttributeIndex column, std::string_view answer) const {
  const PostgresCode::Answer read = codes_[static_cast<std::size_t>(column)].Read(answer);
  if (read.code) return *read.code;
  if (read.text) {
    ASSIGN_OR_RETURN(const PostgresCode::Value value, Encode(column, *read.text));
    return value.code;
  }
  return FailedPrecondition("{}: the rows changed while they were counted; is there a random function in a view?",
                            table_.name());
}

absl::StatusOr<PostgresCode::Value> PostgresCounts::Encode(AttributeIndex attribute, std::string_view text) const {
  const Column& column = schema_.columns()[static_cast<std::size_t>(attribute)];
  const std::string_view trimmed = schema_.spec().trim_blanks ? TrimBlanks(text) : text;
  const Encoded encoded = column.Encode(trimmed);
  if (encoded.outcome == EncodeOutcome::kExact) return PostgresCode::Value{text, encoded.code, true};
  if (unfit_ != UnfitRule::kRefuse) return PostgresCode::Value{text, column.CatchAll().value_or(0), false};
  return InvalidArgument("{}: column {}: {}", table_.name(), QuoteForMessage(column.name()),
                         column.Explain(trimmed, encoded.outcome));
}

absl::Status PostgresCounts::Odd() const {
  return FailedPrecondition("{}: the database does not answer as PostgreSQL does", table_.name());
}

void PostgresCounts::Keep(const Clique& clique, std::span<const std::int64_t> counts) {
  const auto cells = static_cast<std::int64_t>(counts.size());
  if (cells > kMaxKeptCells - kept_cells_) return;
  if (kept_.emplace(clique, std::vector<std::int64_t>(counts.begin(), counts.end())).second) kept_cells_ += cells;
}

}  // namespace flaim
