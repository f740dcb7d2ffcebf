#pragma once

#include <span>
#include <vector>

#include "model/inference/levels.h"

namespace flaim {

// The mean of a count that is exponentially distributed with this prior mean, once it was seen with Gaussian noise:
// positive, however negative the noisy count. REQUIRES: prior_mean > 0, sigma > 0.
double PosteriorMeanOfCount(double noisy, double sigma, double prior_mean);

// How values are distributed inside bins, from noisy one-way counts: nearly as their nearest distribution says, with a
// small part of what each count is likely to be given its bin's mean. So no value is impossible because noise made its
// count negative. REQUIRES: counts for each value of each attribute; sigma, of their noise, > 0, for each attribute;
// total > 0.
Levels LevelsInBins(const Bins& bins, const std::vector<std::vector<double>>& noisy_counts,
                    const std::vector<double>& sigma, double total);

}  // namespace flaim
