#include "experiments/report/figures/svg_plot.h"

#include <algorithm>
#include <array>
#include <set>

#include "experiments/report/figures/plot_axis.h"
#include "experiments/report/number_text.h"
#include "fmt/format.h"

namespace flaim {
namespace {

constexpr double kLeft = 56;
constexpr double kTop = 12;
constexpr double kPlotWidth = 290;
constexpr double kLeastPlotHeight = 230;
constexpr double kBottom = 46;
constexpr double kLabelGap = 14;
constexpr double kLabelStart = 26;  // from the right end of the plot
constexpr double kLetterWidth = 6.1;
constexpr int kMostTicks = 8;

// Marker outlines around (0, 0).
constexpr std::array<const char*, kStyleColours> kMarkers = {
    "M-3.4 0A3.4 3.4 0 1 0 3.4 0A3.4 3.4 0 1 0 -3.4 0Z",
    "M-3.1 -3.1H3.1V3.1H-3.1Z",
    "M0 -4.2L4 3H-4Z",
    "M0 -4.6L4.2 0L0 4.6L-4.2 0Z",
    "M0 4.2L4 -3H-4Z",
    "M-1.3 -4H1.3V-1.3H4V1.3H1.3V4H-1.3V1.3H-4V-1.3H-1.3Z",
    "M0 -4.4L4.2 -1.3L2.6 3.6H-2.6L-4.2 -1.3Z",
    "M0 -4.8L1.3 -1.5L4.6 -1.5L2 0.7L2.9 4L0 2.1L-2.9 4L-2 0.7L-4.6 -1.5L-1.3 -1.5Z",
};

std::string Coordinate(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string CutTo(const std::string& text, std::size_t length) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool starts_letter = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (!starts_letter) continue;
    if (++letters > length) return fmt::format("{}…", text.substr(0, at));
  }
  return text;
}

std::size_t LettersOf(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0) != 0x80; }));
}

AxisRange RangeOf(const Summary& summary) {
  const double half = summary.HalfWidth().value_or(0);
  return {summary.mean - half, summary.mean + half};
}

// Means and intervals; an interval that would reach below 0 though no mean does is cut there, where it means nothing.
AxisRange ValueRange(const PlotPanel& panel) {
  std::vector<AxisRange> ranges;
  std::vector<double> means;
  for (const PlotLine& line : panel.lines) {
    for (const PlotPoint& point : line.points) {
      ranges.push_back(RangeOf(point.y));
      means.push_back(point.y.mean);
      if (point.paper) means.push_back(*point.paper);
    }
    if (!line.level) continue;
    ranges.push_back(RangeOf(*line.level));
    means.push_back(line.level->mean);
  }
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  AxisRange all = {*least, *most};
  for (const AxisRange& range : ranges) {
    all.lowest = std::min(all.lowest, range.lowest);
    all.highest = std::max(all.highest, range.highest);
  }
  if (*least > 0 && all.lowest <= 0) all.lowest = *least / 2;
  return all;
}

std::ptrdiff_t LabelsOf(const PlotPanel& panel) {
  return std::count_if(panel.lines.begin(), panel.lines.end(), [](const PlotLine& line) { return line.has_label; });
}

PlotAxis HorizontalAxis(const PlotPanel& panel) {
  if (!panel.x_names.empty()) return MakeNamesAxis(panel.x_names);
  std::set<double> values;
  for (const PlotLine& line : panel.lines) {
    for (const PlotPoint& point : line.points) values.insert(point.x);
  }
  if (values.empty()) return MakeNamesAxis({""});
  return MakeSettingAxis(std::vector<double>(values.begin(), values.end()), panel.has_logarithmic_x);
}

class Drawing {
 public:
  Drawing(const PlotPanel& panel, std::size_t label_length)
      : panel_(panel),
        label_length_(label_length),
        plot_height_(std::max(kLeastPlotHeight, kLabelGap * static_cast<double>(LabelsOf(panel)))),
        x_axis_(HorizontalAxis(panel)),
        y_axis_(MakeValueAxis(ValueRange(panel), kMostTicks)) {}

  Markup Render() const {
    const double width = kLeft + kPlotWidth + kLabelStart + kLetterWidth * static_cast<double>(label_length_) + 4;
    const double height = kTop + plot_height_ + kBottom;
    const std::string described = fmt::format("{}: {} by {}, {}", panel_.title, panel_.y_title, panel_.x_title,
                                              CountText(static_cast<int>(panel_.lines.size()), "line"));
    Markup content = Markup::Element("title", {}, described);
    content += Markup::Element("desc", {}, Description());
    content += Frame();
    for (const PlotLine& line : panel_.lines) content += Line(line);
    content += Labels();
    return Markup::Element("svg",
                           {{"viewBox", fmt::format("0 0 {} {}", Coordinate(width), Coordinate(height))},
                            {"role", "img"},
                            {"aria-label", described}},
                           content);
  }

 private:
  double X(double value) const { return kLeft + kPlotWidth * x_axis_.PositionOf(value); }
  double Y(double value) const {
    const double position = y_axis_.is_logarithmic && value <= 0 ? 0 : y_axis_.PositionOf(value);
    return kTop + plot_height_ * (1 - std::clamp(position, 0.0, 1.0));
  }
  double Right() const { return kLeft + kPlotWidth; }
  double Bottom() const { return kTop + plot_height_; }

  std::string Description() const {
    std::string text;
    for (const PlotLine& line : panel_.lines) {
      text += fmt::format("{}{}: ", text.empty() ? "" : " ", line.label);
      if (line.level) text += fmt::format("{} throughout", MeanText(*line.level));
      for (std::size_t index = 0; index < line.points.size(); ++index) {
        const PlotPoint& point = line.points[index];
        text += fmt::format("{}{} at {}", index == 0 ? "" : ", ", MeanText(point.y), XText(point.x));
      }
      text += ".";
    }
    return text;
  }

  std::string XText(double x) const {
    return panel_.x_names.empty() ? PlainText(x) : panel_.x_names[static_cast<std::size_t>(x)];
  }

  static Markup Segment(std::string_view kind, double x1, double y1, double x2, double y2) {
    return Markup::Empty(
        "path", {{"class", std::string(kind)},
                 {"d", fmt::format("M{} {}L{} {}", Coordinate(x1), Coordinate(y1), Coordinate(x2), Coordinate(y2))}});
  }

  static Markup Label(std::string_view kind, double x, double y, std::string_view text) {
    return Markup::Element("text", {{"class", std::string(kind)}, {"x", Coordinate(x)}, {"y", Coordinate(y)}}, text);
  }

  Markup Frame() const {
    Markup frame;
    for (std::size_t index = 0; index < y_axis_.ticks.size(); ++index) {
      const double y = Y(y_axis_.ticks[index]);
      frame += Segment("grid", kLeft, y, Right(), y);
      frame += Label("tick end", kLeft - 7, y + 4, y_axis_.tick_texts[index]);
    }
    for (std::size_t index = 0; index < x_axis_.ticks.size(); ++index) {
      const double x = X(x_axis_.ticks[index]);
      frame += Segment("axis", x, Bottom(), x, Bottom() + 4);
      frame += Label("tick middle", x, Bottom() + 17, x_axis_.tick_texts[index]);
    }
    frame += Segment("axis", kLeft, Bottom(), Right(), Bottom());
    const std::string x_scale = x_axis_.is_logarithmic ? " (logarithmic)" : "";
    const std::string y_scale = y_axis_.is_logarithmic ? " (logarithmic)" : "";
    frame += Label("title middle", kLeft + kPlotWidth / 2, Bottom() + 36, fmt::format("{}{}", panel_.x_title, x_scale));
    const double middle = kTop + plot_height_ / 2;
    frame += Markup::Element(
        "text",
        {{"class", "title middle"}, {"transform", fmt::format("translate(13 {}) rotate(-90)", Coordinate(middle))}},
        fmt::format("{}{}", panel_.y_title, y_scale));
    return frame;
  }

  static std::string ClassOf(const PlotLine& line) {
    return fmt::format("s{}{}", line.style % kStyleColours, line.is_dashed ? " dashed" : "");
  }

  static Markup Marker(int style, double x, double y, const std::string& tooltip) {
    const auto shape = static_cast<std::size_t>((style + style / kStyleColours) % kStyleColours);
    const Markup title = tooltip.empty() ? Markup() : Markup::Element("title", {}, tooltip);
    return Markup::Element("path",
                           {{"class", "marker"},
                            {"d", kMarkers[shape]},
                            {"transform", fmt::format("translate({} {})", Coordinate(x), Coordinate(y))}},
                           title);
  }

  Markup Interval(const PlotPoint& point) const {
    const std::optional<double> half = point.y.HalfWidth();
    if (!half) return {};
    const double x = X(point.x);
    const double top = Y(point.y.mean + *half);
    const double bottom = Y(point.y.mean - *half);
    return Segment("bar", x, top, x, bottom) + Segment("bar", x - 3, top, x + 3, top) +
           Segment("bar", x - 3, bottom, x + 3, bottom);
  }

  Markup Level(const PlotLine& line) const {
    const Summary& level = *line.level;
    const double half = level.HalfWidth().value_or(0);
    const double top = Y(level.mean + half);
    Markup content = Markup::Empty("rect", {{"class", "band"},
                                            {"x", Coordinate(kLeft)},
                                            {"y", Coordinate(top)},
                                            {"width", Coordinate(kPlotWidth)},
                                            {"height", Coordinate(Y(level.mean - half) - top)}});
    const double y = Y(level.mean);
    content += Markup::Element(
        "path",
        {{"class", "line"}, {"d", fmt::format("M{} {}H{}", Coordinate(kLeft), Coordinate(y), Coordinate(Right()))}},
        Markup::Element("title", {}, fmt::format("{}: {}", line.label, IntervalText(level))));
    return content;
  }

  Markup Line(const PlotLine& line) const {
    Markup content;
    if (line.level) content += Level(line);
    std::string path;
    Markup markers;
    for (const PlotPoint& point : line.points) {
      content += Interval(point);
      path += fmt::format("{}{} {}", path.empty() ? "M" : "L", Coordinate(X(point.x)), Coordinate(Y(point.y.mean)));
      const std::string place = fmt::format("{}, {} {}", line.label, panel_.x_title, XText(point.x));
      if (point.paper) {
        const Markup tooltip =
            Markup::Element("title", {}, fmt::format("{}: the paper prints {}", place, PlainText(*point.paper)));
        markers += Markup::Element(
            "circle",
            {{"class", "paper"}, {"cx", Coordinate(X(point.x))}, {"cy", Coordinate(Y(*point.paper))}, {"r", "6.5"}},
            tooltip);
      }
      markers += Marker(line.style, X(point.x), Y(point.y.mean), fmt::format("{}: {}", place, IntervalText(point.y)));
    }
    if (line.points.size() > 1) content += Markup::Empty("path", {{"class", "line"}, {"d", path}});
    return Markup::Element("g", {{"class", ClassOf(line)}}, content + markers);
  }

  Markup Labels() const {
    std::vector<const PlotLine*> labelled;
    std::vector<double> ends;
    for (const PlotLine& line : panel_.lines) {
      if (!line.has_label || (!line.level && line.points.empty())) continue;
      labelled.push_back(&line);
      ends.push_back(Y(line.points.empty() ? line.level->mean : line.points.back().y.mean));
    }
    const std::vector<double> places = SpreadApart(ends, kLabelGap, {kTop + 4, Bottom() - 4});
    Markup labels;
    for (std::size_t index = 0; index < labelled.size(); ++index) {
      const PlotLine& line = *labelled[index];
      const double start = line.points.empty() ? Right() : X(line.points.back().x) + 5;
      const double end = Right() + kLabelStart - 10;
      Markup content = Segment("leader", start, ends[index], end - 4, places[index]);
      if (line.points.empty()) {
        content += Segment("line", end - 5, places[index], end + 5, places[index]);
      } else {
        content += Marker(line.style, end, places[index], "");
      }
      Markup text = Markup::Text(CutTo(line.label, label_length_)) + Markup::Element("title", {}, line.label);
      content += Markup::Element(
          "text", {{"class", "label"}, {"x", Coordinate(Right() + kLabelStart)}, {"y", Coordinate(places[index] + 4)}},
          text);
      labels += Markup::Element("g", {{"class", ClassOf(line)}}, content);
    }
    return labels;
  }

  const PlotPanel& panel_;
  std::size_t label_length_;
  double plot_height_;
  PlotAxis x_axis_;
  PlotAxis y_axis_;
};

}  // namespace

bool PlotPanel::IsEmpty() const {
  return std::all_of(lines.begin(), lines.end(),
                     [](const PlotLine& line) { return line.points.empty() && !line.level; });
}

std::size_t PlotPanel::LongestLabel() const {
  std::size_t longest = 0;
  for (const PlotLine& line : lines) {
    if (line.has_label) longest = std::max(longest, LettersOf(line.label));
  }
  return std::min(longest, kLongestLabel);
}

Markup RenderPanel(const PlotPanel& panel, std::size_t label_length) {
  if (panel.IsEmpty()) return Markup::Element("p", {{"class", "absent"}}, "No run of this is done yet.");
  return Drawing(panel, label_length).Render();
}

}  // namespace flaim
