#include "algorithms/loop/pooling.h"

#include <algorithm>
#include <cmath>

namespace flaim {

double VarianceBetween(const Groups& groups) {
  if (groups.size() < 2) return 0;
  const std::size_t cells = groups.front().measured->values.size();
  double precision = 0;
  double squared_precision = 0;
  for (const GroupShares& group : groups) {
    precision += 1 / group.Variance();
    squared_precision += std::pow(1 / group.Variance(), 2);
  }
  double squares = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    double mean = 0;
    for (const GroupShares& group : groups) mean += group.Share(cell) / group.Variance() / precision;
    for (const GroupShares& group : groups) squares += std::pow(group.Share(cell) - mean, 2) / group.Variance();
  }
  const double noise = static_cast<double>((groups.size() - 1) * cells);
  return std::max(0.0, (squares - noise) / (precision - squared_precision / precision));
}

Measurement Pool(const Clique& clique, const Groups& groups, double between_per_cell, double total) {
  const double h = between_per_cell;
  double fixed = 0;
  double free = 0;
  double seen = 0;
  for (const GroupShares& group : groups) {
    fixed += h * group.population / (group.Variance() + h);
    free += 1 / (group.Variance() + h);
    seen += group.population;
  }
  const double lambda = (1 - fixed) / free;
  Measurement pooled{clique, std::vector<double>(groups.front().measured->values.size()), 0};
  for (const GroupShares& group : groups) {
    const double weight = (h * group.population + lambda) / (group.Variance() + h);
    pooled.variance += weight * weight * group.Variance() + h * std::pow(weight - group.population, 2);
    for (std::size_t cell = 0; cell < pooled.values.size(); ++cell) {
      pooled.values[cell] += weight * group.Share(cell) * total;
    }
  }
  // The others are taken to be as large as these.
  pooled.variance += h * std::max(0.0, 1 - seen) * seen / static_cast<double>(groups.size());
  pooled.variance *= total * total;
  return pooled;
}

}  // namespace flaim
