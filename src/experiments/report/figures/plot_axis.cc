#include "experiments/report/figures/plot_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "experiments/report/number_text.h"

namespace flaim {
namespace {

constexpr double kMargin = 0.04;  // at both ends, of axes whose ends are no ticks
constexpr std::array<double, 3> kNiceSteps = {1, 2, 5};

void Widen(PlotAxis& axis) {
  if (axis.is_logarithmic) {
    const double factor = axis.high > axis.low ? std::pow(axis.high / axis.low, kMargin) : 2;
    axis.low /= factor;
    axis.high *= factor;
    return;
  }
  const double margin =
      axis.high > axis.low ? kMargin * (axis.high - axis.low) : std::max(0.5 * std::abs(axis.low), 0.5);
  axis.low -= margin;
  axis.high += margin;
}

double NiceStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double step : kNiceSteps) {
    if (step * power >= least * (1 - 1e-9)) return step * power;
  }
  return 10 * power;
}

PlotAxis LogarithmicValueAxis(AxisRange range, int most_ticks) {
  PlotAxis axis = {.low = range.lowest, .high = range.highest, .is_logarithmic = true, .ticks = {}, .tick_texts = {}};
  Widen(axis);
  std::vector<double> all;
  std::vector<double> powers;
  for (int power = static_cast<int>(std::floor(std::log10(axis.low))); std::pow(10, power) <= axis.high; ++power) {
    for (const double step : kNiceSteps) {
      const double tick = step * std::pow(10, power);
      if (tick < axis.low || tick > axis.high) continue;
      all.push_back(tick);
      if (step == 1) powers.push_back(tick);
    }
  }
  axis.ticks = static_cast<int>(all.size()) <= most_ticks ? all : powers;
  for (const double tick : axis.ticks) axis.tick_texts.push_back(PlainText(tick));
  return axis;
}

}  // namespace

double PlotAxis::PositionOf(double value) const {
  if (is_logarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

PlotAxis MakeValueAxis(AxisRange range, int most_ticks) {
  CHECK(range.lowest <= range.highest && most_ticks >= 2, "an axis from {} to {}", range.lowest, range.highest);
  constexpr double kFarApart = 50;
  constexpr double kNearZero = 0.5;
  if (range.lowest > 0 && range.highest / range.lowest > kFarApart) return LogarithmicValueAxis(range, most_ticks);
  double low = range.lowest;
  double high = range.highest;
  if (low > 0 && low < kNearZero * high) low = 0;
  if (low == high) {
    low = std::min(0.0, 2 * low);
    high = std::max({0.0, 2 * high, low + 1});
  }
  const double step = NiceStep((high - low) / (most_ticks - 2 > 0 ? most_ticks - 2 : 1));
  const auto first = static_cast<long long>(std::floor(low / step + 1e-9));
  const auto last = static_cast<long long>(std::ceil(high / step - 1e-9));
  PlotAxis axis;
  for (long long multiple = first; multiple <= last; ++multiple) {
    axis.ticks.push_back(static_cast<double>(multiple) * step);
    axis.tick_texts.push_back(PlainText(axis.ticks.back()));
  }
  axis.low = axis.ticks.front();
  axis.high = axis.ticks.back();
  return axis;
}

PlotAxis MakeSettingAxis(const std::vector<double>& values, bool is_logarithmic) {
  CHECK(!values.empty() && std::is_sorted(values.begin(), values.end()), "{} values", values.size());
  constexpr double kTicksApart = 0.08;
  PlotAxis axis = {.low = values.front(),
                   .high = values.back(),
                   .is_logarithmic = is_logarithmic && values.front() > 0,
                   .ticks = {},
                   .tick_texts = {}};
  Widen(axis);
  for (const double value : values) {
    const bool has_room =
        axis.ticks.empty() || axis.PositionOf(value) - axis.PositionOf(axis.ticks.back()) >= kTicksApart;
    if (!has_room) continue;
    axis.ticks.push_back(value);
    axis.tick_texts.push_back(PlainText(value));
  }
  return axis;
}

PlotAxis MakeNamesAxis(const std::vector<std::string>& names) {
  PlotAxis axis = {.low = -0.4,
                   .high = static_cast<double>(names.size()) - 0.6,
                   .is_logarithmic = false,
                   .ticks = std::vector<double>(names.size()),
                   .tick_texts = names};
  std::iota(axis.ticks.begin(), axis.ticks.end(), 0.0);
  return axis;
}

std::vector<double> SpreadApart(const std::vector<double>& positions, double gap, AxisRange within) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });

  // Neighbours that are too close become one block around the mean of what its members want, from low to high.
  struct Block {
    double wanted = 0;  // sum over members of where the first of them would like to be
    double size = 0;
    double start = 0;
  };
  std::vector<Block> blocks;
  for (const std::size_t index : order) {
    blocks.push_back({positions[index], 1, 0});
    while (true) {
      Block& last = blocks.back();
      const double latest = std::max(within.lowest, within.highest - gap * (last.size - 1));
      last.start = std::clamp(last.wanted / last.size, within.lowest, latest);
      if (blocks.size() == 1) break;
      Block& before = blocks[blocks.size() - 2];
      if (before.start + gap * before.size <= last.start + 1e-9) break;
      before.wanted += last.wanted - last.size * before.size * gap;
      before.size += last.size;
      blocks.pop_back();
    }
  }
  std::vector<double> spread(positions.size());
  std::size_t next = 0;
  for (const Block& block : blocks) {
    for (int member = 0; member < static_cast<int>(block.size); ++member) {
      spread[order[next++]] = block.start + gap * member;
    }
  }
  return spread;
}

}  // namespace flaim
