#pragma once

#include <string>
#include <vector>

#include "experiments/report/figures/line_styles.h"
#include "experiments/report/figures/svg_plot.h"
#include "experiments/report/tables/result_table.h"

namespace flaim {

// A panel and what must be said of its datasets.
struct FigurePanel {
  PlotPanel plot;
  std::vector<std::string> remarks;
};

// The plots of one layout, side by side, and their numbers as a table.
struct PlotFigure {
  std::string title;
  std::vector<FigurePanel> panels;
  ResultTable numbers;
  std::vector<std::string> notes;
};

// Runs without the setting of the x-axis, such as participation for a central method, give a line across; so do runs
// whose rounds are annealed if x is the number of rounds. Annealed runs are dashed. `page_methods` are those of all
// experiments of the page.
PlotFigure MakeFigure(const ResultsView& view, const PlotLayout& layout, const std::vector<std::string>& page_methods);

Markup RenderFigure(const PlotFigure& figure);

}  // namespace flaim
