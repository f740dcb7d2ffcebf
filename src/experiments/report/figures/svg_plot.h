#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/report/markup.h"
#include "experiments/report/statistics.h"

namespace flaim {

struct PlotPoint {
  double x = 0;
  Summary y;
  std::optional<double> paper;  // what the paper prints there
};

struct PlotLine {
  std::string label;
  int style = 0;  // colour and marker
  bool is_dashed = false;
  bool has_label = true;          // at its right end; another line of the same style may have it already
  std::vector<PlotPoint> points;  // from left to right
  std::optional<Summary> level;   // the same for all x: drawn across
};

// One plot: lines with markers and 95 % intervals, labels at their right ends.
struct PlotPanel {
  std::string title;
  std::string x_title;
  std::string y_title;
  std::vector<std::string> x_names;  // if the x are positions in this list
  bool has_logarithmic_x = false;
  std::vector<PlotLine> lines;

  bool IsEmpty() const;  // there is nothing to draw
  std::size_t LongestLabel() const;
};

// An SVG element that takes its colours from the page's style sheet. Labels are cut to `label_length` characters;
// panels that stand together look best with the same.
Markup RenderPanel(const PlotPanel& panel, std::size_t label_length);

// Labels are never longer.
inline constexpr std::size_t kLongestLabel = 32;

// Colours and markers of lines: eight of each, told apart by both.
inline constexpr int kStyleColours = 8;

}  // namespace flaim
