#include "experiments/report/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/check.h"

namespace flaim {
namespace {

// The probability of a Student t variable between -t and t, by the finite sums for whole degrees of freedom
// (Abramowitz and Stegun 26.7.3 and 26.7.4).
double CentralProbability(double t, int degrees_of_freedom) {
  const double angle = std::atan(t / std::sqrt(degrees_of_freedom));
  const double cosine = std::cos(angle);
  const bool is_odd = degrees_of_freedom % 2 == 1;
  double term = is_odd ? cosine : 1;
  double sum = 0;
  for (int power = is_odd ? 1 : 0; power <= degrees_of_freedom - 2; power += 2) {
    sum += term;
    term *= cosine * cosine * (power + 1) / (power + 2);
  }
  const double tail = std::sin(angle) * sum;
  return is_odd ? 2 / std::numbers::pi * (angle + tail) : tail;
}

}  // namespace

double StudentQuantile975(int degrees_of_freedom) {
  CHECK(degrees_of_freedom >= 1, "{} degrees of freedom", degrees_of_freedom);
  constexpr int kNearlyNormal = 10'000;
  const int degrees = std::min(degrees_of_freedom, kNearlyNormal);
  double low = 0;
  double high = 16;  // above the quantile of one degree, the largest
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (CentralProbability(middle, degrees) < 0.95 ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::optional<double> Summary::HalfWidth() const {
  if (!standard_error) return std::nullopt;
  return StudentQuantile975(count - 1) * *standard_error;
}

std::optional<Summary> Summarise(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const double count = static_cast<double>(values.size());
  Summary summary = {.count = static_cast<int>(values.size()),
                     .mean = std::accumulate(values.begin(), values.end(), 0.0) / count,
                     .standard_error = std::nullopt};
  if (values.size() == 1) return summary;
  double squares = 0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  summary.standard_error = std::sqrt(squares / (count - 1) / count);
  return summary;
}

std::optional<Summary> RatioOf(const Summary& above, const Summary& below) {
  if (below.mean == 0) return std::nullopt;
  Summary ratio = {
      .count = std::min(above.count, below.count), .mean = above.mean / below.mean, .standard_error = std::nullopt};
  if (!above.standard_error || !below.standard_error) return ratio;
  ratio.standard_error = std::hypot(*above.standard_error, ratio.mean * *below.standard_error) / std::abs(below.mean);
  return ratio;
}

std::vector<double> AverageRanks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double shared = static_cast<double>(first + 1 + end) / 2;
    for (std::size_t position = first; position < end; ++position) ranks[order[position]] = shared;
    first = end;
  }
  return ranks;
}

double MedianOf(std::vector<double> values) {
  CHECK(!values.empty(), "no values");
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace flaim
