#include <algorithm>

#include "experiments/report/tables/table_parts.h"
#include "fmt/format.h"

namespace flaim {
namespace {

// Settings, other than seeds, that differ between runs of the same cell: the reader must know what is averaged.
void CollectAveragedKeys(const RunSelection& runs, std::vector<std::string>& averaged) {
  if (runs.Size() < 2) return;
  for (const auto& [key, value] : runs.Runs().front()->settings.items()) {
    const bool is_known = std::find(averaged.begin(), averaged.end(), key) != averaged.end();
    if (key == "seed" || key == "data-seed" || is_known || runs.AllHaveOrLack(key, value)) continue;
    averaged.push_back(key);
  }
}

}  // namespace

ResultTable MakeMeansTable(const ResultsView& view, const TableLayout& layout) {
  const RunSelection all = view.All();
  const std::vector<PaperValue>& paper = view.Plan().paper;
  const std::vector<KeyValue> columns = ColumnsOf(all, layout.columns);
  std::vector<std::vector<KeyValue>> rows = RowsOf(all, layout.rows);
  const auto paper_rows = RowsOnlyInPaper(paper, all, layout.rows, layout.columns, layout.cells, rows);
  rows.insert(rows.end(), paper_rows.begin(), paper_rows.end());
  const bool compares_methods = std::find(layout.rows.begin(), layout.rows.end(), "method") != layout.rows.end();

  ResultTable table = FrameOf(view, layout, columns);
  std::vector<std::string> averaged;
  for (const std::string& name : layout.cells) {
    const ResultName result = DescribeResult(name);
    TableGroup& group = table.groups.emplace_back();
    group.title = TitleWithDirection(result);
    for (const std::vector<KeyValue>& row : rows) {
      TableRow& shown = group.rows.emplace_back(StartRow(view, layout.rows, row));
      for (const KeyValue& column : columns) {
        const Place place = PlaceOf(all, layout.rows, row, layout.columns, column);
        const std::vector<std::string> names = {name};
        shown.cells.push_back(
            CellOf(place.runs.Summarise(name), {result.unit, ""}, place.runs, FindPaperNumber(paper, place, names)));
        CollectAveragedKeys(place.runs, averaged);
      }
    }
    if (compares_methods) MarkBest(group.rows, result.better);
  }
  SayRepetitions(table);
  if (compares_methods) table.notes.emplace_back("Bold: the best federated method of the column.");
  if (!averaged.empty()) table.notes.push_back(fmt::format("Cells also average over {}.", fmt::join(averaged, ", ")));
  return table;
}

}  // namespace flaim
