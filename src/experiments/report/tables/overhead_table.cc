#include <cmath>

#include "experiments/report/number_text.h"
#include "experiments/report/tables/table_parts.h"
#include "fmt/format.h"

namespace flaim {
namespace {

constexpr const char* kBytes = "bytes";

// The runs of a method with the number of rounds that gives the lowest mean of a result.
struct Optimum {
  double rounds = 0;
  RunSelection runs;
};

std::optional<Optimum> FindOptimum(const RunSelection& runs, const ResultName& result) {
  std::optional<Optimum> best;
  double best_cost = 0;
  for (const KeyValue& rounds : runs.Values("rounds")) {
    if (!rounds.is_number()) continue;
    RunSelection candidates = runs.Where("rounds", rounds);
    const std::optional<Summary> summary = candidates.Summarise(result.name);
    if (!summary) continue;
    const double cost = result.better == Better::kHigher ? -summary->mean : summary->mean;
    if (best && cost >= best_cost) continue;
    best = Optimum{rounds.get<double>(), std::move(candidates)};
    best_cost = cost;
  }
  return best;
}

// Both methods of a row, each at its own optimum.
struct Pair {
  Optimum one;
  Optimum other;
};

TableCell RoundsCell(const Pair& pair, const PaperNumber& paper) {
  const Summary ratio = {.count = 1, .mean = pair.one.rounds / pair.other.rounds, .standard_error = std::nullopt};
  TableCell cell = CellOf(ratio, {1, "×"}, pair.one.runs, paper);
  cell.value = fmt::format("{}×", NumberText(ratio.mean));
  cell.note = fmt::format("{} / {}", PlainText(pair.one.rounds), PlainText(pair.other.rounds));
  cell.tooltip = "";
  return cell;
}

TableCell ThroughputCell(const Pair& pair, const PaperNumber& paper) {
  const double megabyte = DescribeResult(kBytes).unit;
  const std::optional<Summary> one = pair.one.runs.Summarise(kBytes);
  const std::optional<Summary> other = pair.other.runs.Summarise(kBytes);
  const std::optional<Summary> ratio = one && other ? RatioOf(*one, *other) : std::nullopt;
  TableCell cell = CellOf(ratio, {1, "×"}, pair.one.runs, paper);
  if (!ratio) return cell;
  cell.error = "";
  cell.note = fmt::format("{} / {} MB", NumberText(one->mean / megabyte), NumberText(other->mean / megabyte));
  return cell;
}

TableCell ImprovementCell(const Pair& pair, const ResultName& result, const PaperNumber& paper) {
  const std::optional<Summary> one = pair.one.runs.Summarise(result.name);
  const std::optional<Summary> other = pair.other.runs.Summarise(result.name);
  std::optional<Summary> improvement;
  if (one && other) improvement = RatioOf(*one, *other);
  if (improvement) {
    const double sign = result.better == Better::kHigher ? -1 : 1;
    improvement->mean = sign * 100 * (1 - improvement->mean);
    if (improvement->standard_error) *improvement->standard_error *= 100;
  }
  TableCell cell = CellOf(improvement, {1, " %"}, pair.one.runs, paper);
  cell.to_paper = "";
  if (improvement) {
    cell.value = fmt::format("{} %", NumberText(improvement->mean, std::abs(improvement->mean) < 10 ? 2 : 3));
    cell.error = "";
    cell.note = fmt::format("{} / {}", MeanPart(*one), MeanPart(*other));
    cell.tooltip = improvement->standard_error
                       ? fmt::format("± {} percent points", NumberText(*improvement->standard_error, 2))
                       : "";
  }
  return cell;
}

std::vector<ResultName> ImprovementsOf(const TableLayout& layout) {
  std::vector<ResultName> results;
  for (const std::string& cell : layout.cells) {
    if (cell != kBytes) results.push_back(DescribeResult(cell));
  }
  if (results.empty()) results = {DescribeResult("error"), DescribeResult("nll")};
  return results;
}

}  // namespace

ResultTable MakeOverheadTable(const ResultsView& view, const TableLayout& layout) {
  const RunSelection all = view.All();
  const std::vector<ResultName> results = ImprovementsOf(layout);
  ResultTable table = FrameOf(view, layout, {});
  table.columns = {"rounds T ↑", "throughput ↑"};
  std::vector<std::string> paper_names = {PaperNameOf("rounds", "overhead"), PaperNameOf(kBytes, "overhead")};
  for (const ResultName& result : results) {
    table.columns.push_back(fmt::format("{} ↓", result.title));
    paper_names.push_back(PaperNameOf(result.name, "improvement"));
  }
  TableGroup& group = table.groups.emplace_back();
  for (const std::vector<KeyValue>& row : RowsOf(all, layout.rows)) {
    const Place place = PlaceOf(all, layout.rows, row, "", KeyValue());
    std::vector<PaperNumber> paper;
    for (const std::string& name : paper_names) {
      paper.push_back(FindPaperNumber(view.Plan().paper, place, std::span(&name, 1)));
    }
    TableRow& shown = group.rows.emplace_back(StartRow(view, layout.rows, row));
    const RunSelection one_runs = place.runs.Where("method", layout.method);
    const RunSelection other_runs = place.runs.Where("method", layout.against);
    std::optional<Optimum> one = FindOptimum(one_runs, results.front());
    std::optional<Optimum> other = FindOptimum(other_runs, results.front());
    if (!one || !other) {
      for (const PaperNumber& number : paper) {
        shown.cells.push_back(CellOf(std::nullopt, {}, one ? other_runs : one_runs, number));
      }
      continue;
    }
    const Pair pair = {std::move(*one), std::move(*other)};
    shown.cells = {RoundsCell(pair, paper[0]), ThroughputCell(pair, paper[1])};
    for (std::size_t position = 0; position < results.size(); ++position) {
      shown.cells.push_back(ImprovementCell(pair, results[position], paper[2 + position]));
    }
  }
  table.notes.push_back(
      fmt::format("{0} against {1}, each at the number of rounds that gives it the lowest mean {2}. ↑: {0} over {1}; "
                  "↓: by how much "
                  "{0} is better. Small: the numbers of both.",
                  layout.method, layout.against, results.front().title));
  return table;
}

}  // namespace flaim
