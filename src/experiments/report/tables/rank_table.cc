#include <algorithm>
#include <map>

#include "experiments/report/number_text.h"
#include "experiments/report/tables/table_parts.h"
#include "fmt/format.h"

namespace flaim {
namespace {

// What is ranked together: the rows' results on one dataset with one seed.
using BlockKey = std::pair<std::string, std::string>;

// By row; a row that has no result is absent.
using Block = std::map<std::size_t, double>;

std::map<BlockKey, Block> BlocksOf(const std::vector<Place>& places, const ResultName& result) {
  std::map<BlockKey, std::map<std::size_t, std::vector<double>>> results;
  for (std::size_t row = 0; row < places.size(); ++row) {
    for (const ViewedRun* run : places[row].runs.Runs()) {
      const BlockKey key = {run->Get("dataset").dump(), run->Get("seed").dump()};
      std::vector<double>& repetitions = results[key][row];
      const std::optional<double> value = run->Result(result.name);
      if (value) repetitions.push_back(result.better == Better::kHigher ? -*value : *value);
    }
  }
  std::map<BlockKey, Block> blocks;
  for (const auto& [key, rows] : results) {
    Block& block = blocks[key];
    for (const auto& [row, repetitions] : rows) {
      if (const auto summary = Summarise(repetitions)) block[row] = summary->mean;
    }
  }
  return blocks;
}

struct Ranking {
  std::vector<std::vector<double>> ranks;  // of each row, by block
  int complete_blocks = 0;
  int blocks = 0;
};

// Blocks in which a row is missing say nothing fair about the others and are left out.
Ranking RankRows(const std::vector<Place>& places, const ResultName& result) {
  Ranking ranking;
  ranking.ranks.resize(places.size());
  for (const auto& [key, block] : BlocksOf(places, result)) {
    ++ranking.blocks;
    if (block.size() < places.size()) continue;
    ++ranking.complete_blocks;
    std::vector<double> values;
    for (const auto& [row, value] : block) values.push_back(value);
    const std::vector<double> ranks = AverageRanks(values);
    for (std::size_t row = 0; row < ranks.size(); ++row) ranking.ranks[row].push_back(ranks[row]);
  }
  return ranking;
}

}  // namespace

ResultTable MakeRankTable(const ResultsView& view, const TableLayout& layout) {
  const RunSelection all = view.All();
  const std::vector<KeyValue> columns = ColumnsOf(all, layout.columns);
  const std::vector<std::vector<KeyValue>> rows = RowsOf(all, layout.rows);
  ResultTable table = FrameOf(view, layout, columns);
  for (const std::string& name : layout.cells) {
    const ResultName result = DescribeResult(name);
    TableGroup& group = table.groups.emplace_back();
    group.title = fmt::format("mean rank by {}, 1 is best", result.title);
    for (const std::vector<KeyValue>& row : rows) group.rows.push_back(StartRow(view, layout.rows, row));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      std::vector<Place> places;
      for (const auto& row : rows) places.push_back(PlaceOf(all, layout.rows, row, layout.columns, columns[column]));
      const Ranking ranking = RankRows(places, result);
      const std::vector<std::string> names = {PaperNameOf(name, "rank"), name};
      for (std::size_t row = 0; row < rows.size(); ++row) {
        TableCell cell = CellOf(Summarise(ranking.ranks[row]), {}, places[row].runs,
                                FindPaperNumber(view.Plan().paper, places[row], names));
        cell.note.clear();
        group.rows[row].cells.push_back(std::move(cell));
      }
      if (ranking.complete_blocks < ranking.blocks) {
        table.notes.push_back(fmt::format("{}, {}: {} of {} rankings, the others lack a method.", result.title,
                                          table.columns[column], ranking.complete_blocks, ranking.blocks));
      }
    }
    MarkBest(group.rows, Better::kLower);
  }
  table.notes.emplace_back(
      "The methods are ranked for each dataset and seed, equal results share the mean of their ranks, and ranks are "
      "averaged; ± is the standard error of that mean. Bold: the best federated method of the column.");
  return table;
}

}  // namespace flaim
