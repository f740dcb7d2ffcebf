#include "experiments/report/tables/table_parts.h"

#include <algorithm>

#include "experiments/report/number_text.h"
#include "fmt/format.h"

namespace flaim {
namespace {

std::string AbsenceOf(const RunSelection& runs) {
  if (runs.Size() == 0) return kNotPlanned;
  if (runs.Failed() > 0) return runs.Failed() == 1 ? "failed" : fmt::format("{} failed", runs.Failed());
  return runs.Done() > 0 ? "no value" : "not run yet";
}

std::string AbsenceTooltip(const RunSelection& runs) {
  if (runs.Size() == 0) return "not part of this experiment";
  return runs.FirstFailure();
}

std::string IncompletenessOf(const Summary& summary, const RunSelection& runs) {
  if (runs.Done() == runs.Size()) return "";
  const std::string failed = runs.Failed() == 0 ? "" : fmt::format(", {} failed", runs.Failed());
  return fmt::format("{} of {} runs{}", summary.count, runs.Size(), failed);
}

Summary InUnits(Summary summary, double unit) {
  summary.mean /= unit;
  if (summary.standard_error) *summary.standard_error /= unit;
  return summary;
}

std::size_t PositionOf(const std::vector<KeyValue>& values, const KeyValue& value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

std::vector<std::vector<KeyValue>> RowsOf(const RunSelection& runs, const std::vector<std::string>& keys) {
  std::vector<std::vector<KeyValue>> values;
  for (const std::string& key : keys) values.push_back(runs.Values(key));
  using Ordered = std::pair<std::vector<std::size_t>, std::vector<KeyValue>>;
  std::vector<Ordered> rows;
  for (const ViewedRun* run : runs.Runs()) {
    Ordered row;
    for (std::size_t position = 0; position < keys.size(); ++position) {
      row.second.push_back(run->Get(keys[position]));
      row.first.push_back(PositionOf(values[position], row.second.back()));
    }
    const bool is_new = std::none_of(rows.begin(), rows.end(), [&](const Ordered& o) { return o.first == row.first; });
    if (is_new) rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const Ordered& a, const Ordered& b) { return a.first < b.first; });
  std::vector<std::vector<KeyValue>> sorted;
  for (Ordered& row : rows) sorted.push_back(std::move(row.second));
  return sorted;
}

std::vector<KeyValue> ColumnsOf(const RunSelection& runs, const std::string& key) {
  std::vector<KeyValue> columns = key.empty() ? std::vector<KeyValue>() : runs.Values(key);
  if (columns.empty()) columns.emplace_back();
  return columns;
}

Place PlaceOf(const RunSelection& runs, const std::vector<std::string>& row_keys, const std::vector<KeyValue>& row,
              const std::string& column_key, const KeyValue& column) {
  Place place = {{}, {column_key, column}, runs.WhereOrAbsent(column_key, column)};
  for (std::size_t position = 0; position < row_keys.size(); ++position) {
    place.row.emplace_back(row_keys[position], row[position]);
    place.runs = place.runs.Where(row_keys[position], row[position]);
  }
  return place;
}

TableCell CellOf(const std::optional<Summary>& summary, const CellFormat& format, const RunSelection& runs,
                 const PaperNumber& paper) {
  TableCell cell;
  cell.summary = summary;
  if (paper.number) {
    cell.paper = fmt::format("{}{}", PlainText(*paper.number / format.unit), format.suffix);
  } else {
    cell.paper = paper.text;
  }
  if (!summary) {
    cell.value = AbsenceOf(runs);
    cell.tooltip = AbsenceTooltip(runs);
    return cell;
  }
  const Summary shown = InUnits(*summary, format.unit);
  cell.value = fmt::format("{}{}", MeanPart(shown), format.suffix);
  cell.error = ErrorPart(shown);
  cell.note = IncompletenessOf(*summary, runs);
  cell.tooltip = IntervalText(shown);
  if (runs.Failed() > 0) cell.tooltip += fmt::format("; a failed run says: {}", runs.FirstFailure());
  if (paper.number) cell.to_paper = DifferenceText(summary->mean, *paper.number);
  return cell;
}

void MarkBest(std::vector<TableRow>& rows, Better better) {
  const auto is_federated = [](const TableRow& row) { return row.is_federated; };
  if (better == Better::kNeither || std::count_if(rows.begin(), rows.end(), is_federated) < 2) return;
  for (std::size_t column = 0; column < rows.front().cells.size(); ++column) {
    std::optional<double> best;
    for (const TableRow& row : rows) {
      const std::optional<Summary>& summary = row.cells[column].summary;
      if (!row.is_federated || !summary) continue;
      if (!best || (better == Better::kLower ? summary->mean < *best : summary->mean > *best)) best = summary->mean;
    }
    for (TableRow& row : rows) {
      const std::optional<Summary>& summary = row.cells[column].summary;
      row.cells[column].is_best = row.is_federated && summary && summary->mean == best;
    }
  }
}

void SayRepetitions(ResultTable& table) {
  std::vector<TableCell*> cells;
  int most = 0;
  for (TableGroup& group : table.groups) {
    for (TableRow& row : group.rows) {
      for (TableCell& cell : row.cells) {
        if (!cell.summary) continue;
        cells.push_back(&cell);
        most = std::max(most, cell.summary->count);
      }
    }
  }
  if (most == 0) return;
  for (TableCell* cell : cells) {
    if (cell->summary->count < most && cell->note.empty()) cell->note = CountText(cell->summary->count, "run");
  }
  table.notes.push_back(
      most == 1
          ? "One run a cell: no intervals."
          : fmt::format("Mean ± standard error over {} runs; tooltips have the 95 % interval (Student’s t).", most));
}

ResultTable FrameOf(const ResultsView& view, const TableLayout& layout, const std::vector<KeyValue>& columns) {
  ResultTable table;
  table.title = layout.title;
  for (const std::string& key : layout.rows) table.row_titles.push_back(KeyTitle(key));
  for (const KeyValue& column : columns) {
    table.columns.push_back(column.is_null() ? "" : ValueTitleWithKey(layout.columns, column));
  }
  table.remarks = RemarksOf(view.All());
  return table;
}

TableRow StartRow(const ResultsView& view, const std::vector<std::string>& keys, const std::vector<KeyValue>& row) {
  TableRow started;
  for (std::size_t position = 0; position < keys.size(); ++position) {
    started.headings.push_back(RowHeading(view, keys[position], row[position]));
    if (keys[position] == "method" && row[position].is_string()) {
      const std::string method = row[position].get<std::string>();
      started.is_ours = view.IsOurs(method);
      started.is_federated = !view.IsCentral(method);
    }
  }
  return started;
}

bool HasPaperNumbers(const ResultTable& table) {
  for (const TableGroup& group : table.groups) {
    for (const TableRow& row : group.rows) {
      if (std::any_of(row.cells.begin(), row.cells.end(), [](const TableCell& cell) { return !cell.paper.empty(); })) {
        return true;
      }
    }
  }
  return false;
}

std::string PaperNameOf(std::string_view result, std::string_view kind) { return fmt::format("{}_{}", result, kind); }

}  // namespace flaim
