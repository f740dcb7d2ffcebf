#pragma once

#include <span>
#include <vector>

#include "marginal/clique.h"

namespace flaim {

// A noisy marginal, as released: what a model learns from. Row-major in sorted attribute order, as counts are.
struct Measurement {
  Clique clique;
  std::vector<double> values;
  double variance = 1;  // of the noise in each cell

  bool operator==(const Measurement&) const = default;
};

// One measurement for each clique: repeated ones are replaced by their inverse-variance mean, which leaves the
// minimiser of the least-squares loss unchanged. Sorted by clique. REQUIRES: positive variances, equal sizes for equal
// cliques.
std::vector<Measurement> MergeMeasurements(std::span<const Measurement> measurements);

// The number of records, from all measurements: each sum of cells estimates it with variance n_q * variance, and the
// inverse-variance mean is the best of their combinations. At least 1. REQUIRES: not empty.
double EstimateTotal(std::span<const Measurement> measurements);

}  // namespace flaim
