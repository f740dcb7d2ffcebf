#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/report/results_view.h"

namespace flaim {

// Where a number stands in a table or plot: what its row and column say, and the runs it is about.
struct Place {
  std::vector<std::pair<std::string, KeyValue>> row;
  std::pair<std::string, KeyValue> column;
  RunSelection runs;
};

// What the paper prints there.
struct PaperNumber {
  std::optional<double> number;
  std::string text;  // as printed, if it is no plain number

  bool IsEmpty() const { return !number && text.empty(); }
};

// A value of the paper belongs there if everything it says of its runs is said by row and column or, for what they do
// not show, is the same for all runs there. It must say in which column it stands, unless runs there lack that setting:
// it would be the same in all columns. Of several, the one that says most. Names are tried in turn; a text is
// taken only from a value that has no numbers at all.
PaperNumber FindPaperNumber(std::span<const PaperValue> paper, const Place& place, std::span<const std::string> names);

// Rows that the paper has and the runs do not, such as those of a method that is not there yet.
std::vector<std::vector<KeyValue>> RowsOnlyInPaper(std::span<const PaperValue> paper, const RunSelection& runs,
                                                   std::span<const std::string> row_keys, const std::string& column_key,
                                                   std::span<const std::string> results,
                                                   std::span<const std::vector<KeyValue>> known_rows);

}  // namespace flaim
