#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

// For tests only: Pearson's chi-squared test of drawn integers against an exact distribution. All tests here use a
// fixed seed and reject at kTestAlpha, so a correct sampler fails for one seed in a billion, and then always for that
// seed.

namespace flaim {

inline constexpr double kTestAlpha = 1e-9;

using Probabilities = std::map<std::int64_t, long double>;
using Counts = std::map<std::int64_t, std::int64_t>;

// An upper bound of P(a chi-squared variable > statistic): with d degrees of freedom it exceeds d + 2 sqrt(d t) + 2 t
// with probability at most exp(-t) (Laurent and Massart 2000, Lemma 1). Rejects a little later than the exact quantile.
inline double ChiSquaredTailBound(double statistic, double degrees_of_freedom) {
  if (statistic <= degrees_of_freedom) return 1;
  const double root = (std::sqrt(2 * statistic - degrees_of_freedom) - std::sqrt(degrees_of_freedom)) / 2;
  return std::exp(-root * root);
}

// An upper bound of the p-value of `counts` under `probabilities`. Cells that expect fewer than 20 draws are pooled
// into one, with every value that has no cell, and that one joins the smallest cell if it is still too small.
inline double ChiSquaredPValue(const Counts& counts, const Probabilities& probabilities) {
  constexpr long double kExpectedMin = 20;
  long double draws = 0;
  for (const auto& [value, count] : counts) draws += static_cast<long double>(count);

  struct Cell {
    long double expected = 0;
    long double observed = 0;
  };
  std::vector<Cell> cells;
  Cell pooled{draws, draws};
  std::size_t smallest = 0;
  for (const auto& [value, probability] : probabilities) {
    const auto found = counts.find(value);
    const Cell cell{draws * probability, found == counts.end() ? 0.0L : static_cast<long double>(found->second)};
    if (cell.expected < kExpectedMin) continue;
    cells.push_back(cell);
    pooled.expected -= cell.expected;
    pooled.observed -= cell.observed;
    if (cell.expected < cells[smallest].expected) smallest = cells.size() - 1;
  }
  if (pooled.expected >= kExpectedMin) {
    cells.push_back(pooled);
  } else {
    cells[smallest].expected += pooled.expected;
    cells[smallest].observed += pooled.observed;
  }
  if (cells.size() < 2) return pooled.observed > kExpectedMin + pooled.expected ? 0 : 1;

  long double statistic = 0;
  for (const Cell& cell : cells) {
    statistic += (cell.observed - cell.expected) * (cell.observed - cell.expected) / cell.expected;
  }
  return ChiSquaredTailBound(static_cast<double>(statistic), static_cast<double>(cells.size() - 1));
}

template <typename Draw>
Counts CountDraws(std::int64_t draws, const Draw& draw) {
  Counts counts;
  for (std::int64_t i = 0; i < draws; ++i) ++counts[static_cast<std::int64_t>(draw())];
  return counts;
}

inline void Normalise(Probabilities& weights) {
  long double total = 0;
  for (const auto& [value, weight] : weights) total += weight;
  for (auto& [value, weight] : weights) weight /= total;
}

}  // namespace flaim
