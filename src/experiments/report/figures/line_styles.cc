#include "experiments/report/figures/line_styles.h"

#include <algorithm>
#include <set>

#include "experiments/report/figures/svg_plot.h"

namespace flaim {

LineStyles AssignStyles(const std::vector<std::string>& page_order, const std::vector<std::string>& names) {
  LineStyles styles;
  std::set<int> taken;
  for (const std::string& name : names) {
    if (styles.contains(name)) continue;
    const auto position = std::find(page_order.begin(), page_order.end(), name) - page_order.begin();
    const int generation = static_cast<int>(styles.size()) / kStyleColours;
    int colour = static_cast<int>(position % kStyleColours);
    while (taken.contains(generation * kStyleColours + colour)) colour = (colour + 1) % kStyleColours;
    const int style = generation * kStyleColours + colour;
    taken.insert(style);
    styles[name] = style;
  }
  return styles;
}

}  // namespace flaim
