#pragma once

#include <cstddef>
#include <vector>

#include "model/estimation/measurement.h"

namespace flaim {

// One marginal from several groups, whose rows are unlike each other's.

// What one group says about a marginal: shares of its rows, and how noisy they are.
struct GroupShares {
  const Measurement* measured;
  double rows;
  double population;  // the group's share of all rows

  double Share(std::size_t cell) const { return measured->values[cell] / rows; }
  double Variance() const { return measured->variance / (rows * rows); }
};
using Groups = std::vector<GroupShares>;

// How much the shares of a one-way marginal differ from group to group beyond their noise: a variance h, summed over
// the cells.
//
// Groups are weighed by their precision u = 1 / v, so that one of few rows, whose shares are all noise, does not pass
// for a difference: with Q the weighted squares about the weighted mean, E Q = (groups - 1) cells + h (sum u - sum u^2
// / sum u) (DerSimonian and Laird 1986). Never below 0; 0 for a single group. REQUIRES: not empty.
double VarianceBetween(const Groups& groups);

// All groups as one measurement of the population, of `total` rows. With v_g the noise of a group's shares, f_g its
// share of the population and h the variance of a cell between groups, weights w_g that add up to 1 leave the variance
//
//   sum w_g^2 v_g + h sum (w_g - f_g)^2 + h (what the groups that did not measure it miss),
//
// which is least for w_g = (h f_g + lambda) / (v_g + h).
//
// REQUIRES: not empty.
Measurement Pool(const Clique& clique, const Groups& groups, double between_per_cell, double total);

}  // namespace flaim
