#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/report/markup.h"
#include "experiments/report/results_view.h"
#include "experiments/report/tables/paper_numbers.h"

namespace flaim {

// In a cell that no run of the experiment belongs to.
inline constexpr const char* kNotPlanned = "—";

// A cell: what came out here, beneath it what the paper says.
struct TableCell {
  std::optional<Summary> summary;  // in the unit of the results; absent if value says why there is none
  std::string value;               // "0.431"
  std::string error;               // " ± 0.004"
  std::string note;                // "9 of 10 seeds"
  std::string paper;               // "0.42"; empty if it says nothing
  std::string to_paper;            // "+2.6 %"
  std::string tooltip;
  bool is_best = false;
};

struct TableRow {
  std::vector<Markup> headings;
  bool is_ours = false;
  bool is_federated = true;
  std::vector<TableCell> cells;
};

// Rows about the same result.
struct TableGroup {
  std::string title;  // empty if it needs none
  std::vector<TableRow> rows;
};

struct ResultTable {
  std::string title;
  std::vector<std::string> row_titles;  // above the headings of rows
  std::vector<std::string> columns;
  std::vector<TableGroup> groups;
  std::vector<std::string> notes;
  std::vector<std::string> remarks;  // on datasets
};

// Any kind of table. Shows what is there: missing and failed runs say so in their cells.
ResultTable MakeTable(const ResultsView& view, const TableLayout& layout);

// In a box that scrolls by itself if the table is wider than the page.
Markup RenderTable(const ResultTable& table);

// The notes and remarks below a table or plot.
Markup RenderNotes(const std::vector<std::string>& notes, const std::vector<std::string>& remarks);

// A name with its marks: "ours", "central".
Markup RowHeading(const ResultsView& view, const std::string& key, const KeyValue& value);

}  // namespace flaim
