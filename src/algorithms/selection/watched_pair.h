#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "algorithms/loop/released_marginals.h"
#include "algorithms/methods/method.h"
#include "marginal/workload.h"

namespace flaim {

// A pair as all groups so far have measured it.
struct WatchedPair {
  WeightedQuery query;
  std::vector<double> sum;
  double rows = 0;
  double variance = 0;  // of each cell
  std::vector<const ReleasedMarginal*> parts;
  double sampling_variance = 0;
  bool is_taken = false;
};

// What is within so many standard deviations is taken for noise.
inline constexpr double kDoubt = 2;
// Of the variance between groups that one-way marginals show, what is taken to remain in a pair whose one-ways fit.
inline constexpr double kHeterogeneityOfPairs = 0.5;

// What the groups that watched may differ by from all of the plan, as a variance of shares summed over the cells.
double SamplingVariance(const WatchedPair& pair, const ChooseThenMeasure& plan,
                        const std::map<AttributeIndex, double>& between_groups);

// The L1 error of the model on the pair, in records, as far as it is more than noise and chance.
//
// For the residuals r of a pair, noise of variance sigma^2 and the model's shares m, assume r_c ~ N(0, tau^2 m_c): then
//
//   tau^2 = sum m_c (r_c^2 - sigma^2) / sum m_c^2   with standard deviation  sigma^2 sqrt(2 / sum m_c^2),
//
// and the expected L1 error is sqrt(2/pi) tau sum sqrt(m_c). What is within kDoubt standard deviations is taken for
// noise, and what few groups may differ by from all is subtracted. Weighing cells by m_c matters: most cells of a large
// pair are nearly empty and hold nothing but noise.
double EstimatedError(const WatchedPair& pair, std::span<const double> shares);

// The noise per cell that is left when the groups still to come have measured the chosen marginals too, in records of
// the groups that watched. They share their budget among the plan's marginals, those that watched among `watched`.
double NoiseOfPairAtTheEnd(const WatchedPair& pair, std::size_t watched, const ChooseThenMeasure& plan);

}  // namespace flaim
