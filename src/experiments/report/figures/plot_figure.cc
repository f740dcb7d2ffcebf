#include "experiments/report/figures/plot_figure.h"

#include <algorithm>

#include "experiments/report/names.h"
#include "experiments/report/tables/table_parts.h"
#include "fmt/format.h"

namespace flaim {
namespace {

// The values of the x-axis: numbers, or names if there are no numbers.
struct HorizontalValues {
  std::vector<KeyValue> values;
  bool are_names = false;

  double PositionOf(std::size_t index) const {
    return are_names ? static_cast<double>(index) : values[index].get<double>();
  }
};

HorizontalValues HorizontalValuesOf(const RunSelection& runs, const std::string& key) {
  HorizontalValues x;
  x.values = runs.Values(key);
  x.are_names = std::none_of(x.values.begin(), x.values.end(), [](const KeyValue& v) { return v.is_number(); });
  if (!x.are_names) {
    std::erase_if(x.values, [](const KeyValue& value) { return !value.is_number(); });
  }
  return x;
}

class FigureMaker {
 public:
  FigureMaker(const ResultsView& view, const PlotLayout& layout, const std::vector<std::string>& page_methods)
      : view_(view),
        layout_(layout),
        result_(DescribeResult(layout.y)),
        x_(HorizontalValuesOf(view.All(), layout.x)),
        lines_(ColumnsOf(view.All(), layout.lines)) {
    std::vector<std::string> names;
    for (const KeyValue& line : lines_) names.push_back(ValueTitleWithKey(layout.lines, line));
    styles_ = AssignStyles(layout.lines == "method" ? page_methods : names, names);
  }

  PlotFigure Make() {
    figure_.title = layout_.title;
    StartNumbers();
    for (const KeyValue& panel : ColumnsOf(view_.All(), layout_.panels)) AddPanel(panel);
    SayRepetitions(figure_.numbers);
    const bool has_levels = RemoveLevelColumnIfUnused();
    Annotate(has_levels);
    return std::move(figure_);
  }

 private:
  void StartNumbers() {
    figure_.numbers.title = TitleWithDirection(result_);
    figure_.numbers.row_titles = {KeyTitle(layout_.lines)};
    for (const KeyValue& x : x_.values) figure_.numbers.columns.push_back(ValueTitleWithKey(layout_.x, x));
    figure_.numbers.columns.push_back(fmt::format("any {}", KeyTitle(layout_.x)));
  }

  void AddPanel(const KeyValue& value) {
    const RunSelection runs = view_.All().WhereOrAbsent(layout_.panels, value);
    FigurePanel& panel = figure_.panels.emplace_back();
    panel.remarks = RemarksOf(runs);
    panel.plot.title = value.is_null() ? layout_.title : ValueTitleWithKey(layout_.panels, value);
    panel.plot.x_title = KeyTitle(layout_.x);
    panel.plot.y_title = TitleWithUnit(result_);
    panel.plot.has_logarithmic_x = layout_.logarithmic_x;
    if (x_.are_names) {
      for (const KeyValue& x : x_.values) panel.plot.x_names.push_back(ValueTitle(layout_.x, x));
    }
    TableGroup& group = figure_.numbers.groups.emplace_back();
    group.title = panel.plot.title;
    for (const KeyValue& line : lines_) {
      const RunSelection line_runs = runs.WhereOrAbsent(layout_.lines, line);
      for (const bool is_annealed : {false, true}) {
        const RunSelection drawn = line_runs.WhereAnnealed(is_annealed);
        if (drawn.Size() > 0) AddLine(drawn, value, line, is_annealed, panel.plot, group);
      }
    }
  }

  void AddLine(const RunSelection& runs, const KeyValue& panel_value, const KeyValue& line_value, bool is_annealed,
               PlotPanel& panel, TableGroup& group) {
    const std::string name = ValueTitleWithKey(layout_.lines, line_value);
    PlotLine line;
    line.label = is_annealed ? fmt::format("{}, annealed", name) : name;
    line.style = styles_.at(name);
    line.is_dashed = is_annealed;
    line.has_label = panel.lines.empty() || panel.lines.back().style != line.style;
    Place place = {{{layout_.panels, panel_value}, {layout_.lines, line_value}}, {layout_.x, KeyValue()}, runs};
    TableRow row = StartRow(view_, {layout_.lines}, {line_value});
    if (is_annealed) row.headings.front() += Markup::Text(", annealed");

    RunSelection across = runs;
    for (std::size_t index = 0; index < x_.values.size(); ++index) {
      place.column.second = x_.values[index];
      place.runs = runs.Where(layout_.x, x_.values[index]);
      const std::optional<Summary> summary = SummaryOf(place.runs);
      const PaperNumber paper = PaperAt(place);
      row.cells.push_back(CellOf(summary, {}, place.runs, paper));
      if (summary) line.points.push_back({x_.PositionOf(index), *summary, paper.number});
      across = WithoutValue(across, x_.values[index]);
    }
    place.column.second = KeyValue();
    place.runs = across;
    line.level = SummaryOf(across);
    row.cells.push_back(CellOf(line.level, {}, across, across.Size() > 0 ? PaperAt(place) : PaperNumber()));
    panel.lines.push_back(std::move(line));
    group.rows.push_back(std::move(row));
  }

  RunSelection WithoutValue(const RunSelection& runs, const KeyValue& value) const {
    std::vector<const ViewedRun*> kept;
    for (const ViewedRun* run : runs.Runs()) {
      if (run->Get(layout_.x) != value) kept.push_back(run);
    }
    return RunSelection(std::move(kept));
  }

  std::optional<Summary> SummaryOf(const RunSelection& runs) const {
    std::vector<double> results = runs.Results(layout_.y);
    for (double& result : results) result /= result_.unit;
    return Summarise(results);
  }

  PaperNumber PaperAt(const Place& place) const {
    PaperNumber paper = FindPaperNumber(view_.Plan().paper, place, std::span(&layout_.y, 1));
    if (paper.number) *paper.number /= result_.unit;
    return paper;
  }

  bool RemoveLevelColumnIfUnused() {
    bool is_used = false;
    for (const TableGroup& group : figure_.numbers.groups) {
      for (const TableRow& row : group.rows) is_used = is_used || row.cells.back().value != kNotPlanned;
    }
    if (is_used) return true;
    figure_.numbers.columns.pop_back();
    for (TableGroup& group : figure_.numbers.groups) {
      for (TableRow& row : group.rows) row.cells.pop_back();
    }
    return false;
  }

  // The fewest and the most.
  std::pair<int, int> RunsOfPoints() const {
    std::vector<int> counts;
    for (const FigurePanel& panel : figure_.panels) {
      for (const PlotLine& line : panel.plot.lines) {
        for (const PlotPoint& point : line.points) counts.push_back(point.y.count);
        if (line.level) counts.push_back(line.level->count);
      }
    }
    if (counts.empty()) return {0, 0};
    const auto [fewest, most] = std::minmax_element(counts.begin(), counts.end());
    return {*fewest, *most};
  }

  void Annotate(bool has_levels) {
    bool has_dashes = false;
    for (const FigurePanel& panel : figure_.panels) {
      for (const PlotLine& line : panel.plot.lines) has_dashes = has_dashes || line.is_dashed;
    }
    const auto [fewest_runs, most_runs] = RunsOfPoints();
    if (result_.better != Better::kNeither) {
      figure_.notes.emplace_back(result_.better == Better::kLower ? "Lower is better." : "Higher is better.");
    }
    figure_.notes.push_back(most_runs < 2 ? "One run a point: no intervals."
                                          : fmt::format("Means over {} runs with 95 % intervals (Student’s t).",
                                                        fewest_runs == most_runs
                                                            ? fmt::format("{}", most_runs)
                                                            : fmt::format("{} to {}", fewest_runs, most_runs)));
    if (has_levels) {
      figure_.notes.push_back(fmt::format("Lines across: runs for which no {} is fixed.", KeyTitle(layout_.x)));
    }
    if (has_dashes) figure_.notes.emplace_back("Dashed: the same with rounds chosen by annealing.");
    figure_.notes.emplace_back(HasPaperNumbers(figure_.numbers) ? "Rings: numbers that the paper prints."
                                                                : "The paper shows this as a plot without numbers.");
  }

  const ResultsView& view_;
  const PlotLayout& layout_;
  ResultName result_;
  HorizontalValues x_;
  std::vector<KeyValue> lines_;
  LineStyles styles_;
  PlotFigure figure_;
};

}  // namespace

PlotFigure MakeFigure(const ResultsView& view, const PlotLayout& layout, const std::vector<std::string>& page_methods) {
  return FigureMaker(view, layout, page_methods).Make();
}

Markup RenderFigure(const PlotFigure& figure) {
  std::size_t label_length = 0;
  for (const FigurePanel& panel : figure.panels) label_length = std::max(label_length, panel.plot.LongestLabel());
  Markup panels;
  for (const FigurePanel& panel : figure.panels) {
    panels += Markup::Element("div", {{"class", "panel"}},
                              Markup::Element("h4", {}, panel.plot.title) + RenderPanel(panel.plot, label_length) +
                                  RenderNotes({}, panel.remarks));
  }
  return Markup::Element(
      "figure", {{"class", "plot"}},
      Markup::Element("figcaption", {}, figure.title) + Markup::Element("div", {{"class", "panels"}}, panels) +
          RenderNotes(figure.notes, {}) +
          Markup::Element("details", {},
                          Markup::Element("summary", {}, "The numbers of these plots") + RenderTable(figure.numbers)));
}

}  // namespace flaim
