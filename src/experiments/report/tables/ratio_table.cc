#include "experiments/report/number_text.h"
#include "experiments/report/tables/table_parts.h"
#include "fmt/format.h"

namespace flaim {

ResultTable MakeRatioTable(const ResultsView& view, const TableLayout& layout) {
  const RunSelection all = view.All();
  const RunSelection one = all.Where("method", layout.method);
  const RunSelection other = all.Where("method", layout.against);
  const std::vector<KeyValue> columns = ColumnsOf(one, layout.columns);
  ResultTable table = FrameOf(view, layout, columns);
  for (const std::string& name : layout.cells) {
    const ResultName result = DescribeResult(name);
    const std::vector<std::string> names = {PaperNameOf(name, "ratio"), "ratio", name};
    TableGroup& group = table.groups.emplace_back();
    group.title = fmt::format("{}: {} / {}", result.title, layout.method, layout.against);
    for (const std::vector<KeyValue>& row : RowsOf(one, layout.rows)) {
      TableRow& shown = group.rows.emplace_back(StartRow(view, layout.rows, row));
      for (const KeyValue& column : columns) {
        const Place above = PlaceOf(one, layout.rows, row, layout.columns, column);
        const Place below = PlaceOf(other, layout.rows, row, layout.columns, column);
        std::vector<const ViewedRun*> both = above.runs.Runs();
        both.insert(both.end(), below.runs.Runs().begin(), below.runs.Runs().end());
        const Place place = {above.row, above.column, RunSelection(std::move(both))};
        const std::optional<Summary> above_mean = above.runs.Summarise(name);
        const std::optional<Summary> below_mean = below.runs.Summarise(name);
        const std::optional<Summary> ratio =
            above_mean && below_mean ? RatioOf(*above_mean, *below_mean) : std::nullopt;
        TableCell cell = CellOf(ratio, {1, "×"}, place.runs, FindPaperNumber(view.Plan().paper, place, names));
        if (ratio) {
          cell.tooltip = fmt::format("{} / {}", NumberText(above_mean->mean / result.unit, 4),
                                     NumberText(below_mean->mean / result.unit, 4));
        }
        shown.cells.push_back(std::move(cell));
      }
    }
  }
  table.notes.emplace_back("Ratio of the means over seeds ± its standard error; tooltips have both means.");
  return table;
}

}  // namespace flaim
