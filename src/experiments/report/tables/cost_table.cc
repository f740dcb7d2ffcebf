#include "experiments/report/tables/cost_table.h"

#include <algorithm>
#include <cmath>

#include "experiments/report/number_text.h"
#include "experiments/report/tables/table_parts.h"
#include "fmt/format.h"

namespace flaim {
namespace {

std::vector<double> SecondsOf(const RunSelection& runs) {
  std::vector<double> seconds;
  for (const ViewedRun* run : runs.Runs()) {
    if (run->cost) seconds.push_back(run->cost->seconds);
  }
  return seconds;
}

ResultTable MakeCostTable(const ResultsView& view) {
  const TableLayout layout = {.title = "Median seconds of a run",
                              .kind = TableKind::kMeans,
                              .rows = {"method"},
                              .columns = "dataset",
                              .cells = {},
                              .method = "",
                              .against = ""};
  const RunSelection all = view.All();
  const std::vector<KeyValue> columns = ColumnsOf(all, layout.columns);
  ResultTable table = FrameOf(view, layout, columns);
  table.remarks.clear();
  TableGroup& group = table.groups.emplace_back();
  for (const std::vector<KeyValue>& row : RowsOf(all, layout.rows)) {
    TableRow& shown = group.rows.emplace_back(StartRow(view, layout.rows, row));
    for (const KeyValue& column : columns) {
      const Place place = PlaceOf(all, layout.rows, row, layout.columns, column);
      const std::vector<double> seconds = SecondsOf(place.runs);
      TableCell& cell = shown.cells.emplace_back(CellOf(std::nullopt, {}, place.runs, {}));
      if (seconds.empty()) continue;
      const double median = MedianOf(seconds);
      cell.summary = Summary{.count = static_cast<int>(seconds.size()), .mean = median, .standard_error = std::nullopt};
      cell.value = NumberText(median, median < 10 ? 2 : 3);
      cell.tooltip = fmt::format("{} to {} s over {}", NumberText(*std::min_element(seconds.begin(), seconds.end())),
                                 NumberText(*std::max_element(seconds.begin(), seconds.end())),
                                 CountText(static_cast<int>(seconds.size()), "run"));
    }
  }
  return table;
}

}  // namespace

Markup RenderCosts(const ResultsView& view) {
  double processor_seconds = 0;
  double peak_megabytes = 0;
  int counted = 0;
  const RunSelection all = view.All();
  for (const ViewedRun* run : all.Runs()) {
    if (!run->cost) continue;
    ++counted;
    processor_seconds += run->cost->processor_seconds;
    peak_megabytes = std::max(peak_megabytes, run->cost->peak_megabytes);
  }
  if (counted == 0) return {};
  const std::string peak =
      peak_megabytes > 0 ? fmt::format(", at most {} MB of memory", NumberText(std::round(peak_megabytes))) : "";
  const std::string summary = fmt::format("Cost: {} of processor time for {}{}", DurationText(processor_seconds),
                                          CountText(counted, "run"), peak);
  return Markup::Element("details", {{"class", "cost"}},
                         Markup::Element("summary", {}, summary) + RenderTable(MakeCostTable(view)));
}

}  // namespace flaim
