#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/report/names.h"
#include "experiments/report/tables/result_table.h"

namespace flaim {

// What the kinds of tables have in common.

// Combinations of the values of the keys that occur, null for a setting that a run does not have.
std::vector<std::vector<KeyValue>> RowsOf(const RunSelection& runs, const std::vector<std::string>& keys);
// A single null, which selects everything, if there is no such key.
std::vector<KeyValue> ColumnsOf(const RunSelection& runs, const std::string& key);

Place PlaceOf(const RunSelection& runs, const std::vector<std::string>& row_keys, const std::vector<KeyValue>& row,
              const std::string& column_key, const KeyValue& column);

// How values are written: as multiples of a unit, with something behind.
struct CellFormat {
  double unit = 1;
  std::string suffix;
};

// With the paper's number, and how far the mean is from it. The cell of a summary that is absent says why.
TableCell CellOf(const std::optional<Summary>& summary, const CellFormat& format, const RunSelection& runs,
                 const PaperNumber& paper);

// Marks the best mean of each column among the federated rows, if there are two.
void MarkBest(std::vector<TableRow>& rows, Better better);

// How many repetitions most cells have is said once, below; cells with fewer say so themselves.
void SayRepetitions(ResultTable& table);

// The frame of a table: title, headings of columns and rows, remarks.
ResultTable FrameOf(const ResultsView& view, const TableLayout& layout, const std::vector<KeyValue>& columns);
// A row without cells.
TableRow StartRow(const ResultsView& view, const std::vector<std::string>& keys, const std::vector<KeyValue>& row);

bool HasPaperNumbers(const ResultTable& table);

// "error_ratio" and the like, by which experiment files give what the paper prints in such tables.
std::string PaperNameOf(std::string_view result, std::string_view kind);

// The kinds.
ResultTable MakeMeansTable(const ResultsView& view, const TableLayout& layout);
ResultTable MakeRankTable(const ResultsView& view, const TableLayout& layout);
ResultTable MakeRatioTable(const ResultsView& view, const TableLayout& layout);
ResultTable MakeOverheadTable(const ResultsView& view, const TableLayout& layout);

}  // namespace flaim
