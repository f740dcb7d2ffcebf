#pragma once

#include <string>
#include <vector>

namespace flaim {

// The range of a plot in one direction, and where its ticks are. Values are spread evenly, or by their logarithms.
struct PlotAxis {
  double low = 0;
  double high = 1;  // more than low
  bool is_logarithmic = false;
  std::vector<double> ticks;
  std::vector<std::string> tick_texts;

  // 0 at the low end, 1 at the high end.
  double PositionOf(double value) const;
};

struct AxisRange {
  double lowest = 0;
  double highest = 0;  // not below the lowest
};

// Ticks at 1, 2 or 5 times powers of ten, at most that many, around the range; from 0 if that is not far away. By
// logarithms if positive values are so far apart that the small ones could not be told from each other otherwise.
PlotAxis MakeValueAxis(AxisRange range, int most_ticks);

// Ticks at the values themselves, which are sorted; those too close to others have none. Values must be positive for
// logarithms, otherwise they are spread evenly.
PlotAxis MakeSettingAxis(const std::vector<double>& values, bool is_logarithmic);

// Values that have names instead of sizes, side by side: the first is at 0, the next at 1.
PlotAxis MakeNamesAxis(const std::vector<std::string>& names);

// Moves positions apart, as little as that takes, keeping their order: at least `gap` between neighbours, all within
// low and high if there is room.
std::vector<double> SpreadApart(const std::vector<double>& positions, double gap, AxisRange within);

}  // namespace flaim
