#pragma once

#include "base/random_source.h"
#include "model/inference/brute_force_testing.h"
#include "model/inference/levels.h"

namespace flaim {

// Values inside the bins of a small model: for about half of the attributes, and at most two for each bin, in any
// order. About one share in five is 0, but not all of a bin.
Levels RandomLevels(const Domain& bins, RandomSource& random);

// The same distribution as a model over values: a model without levels that has, for each attribute with bins, the
// logarithms of its shares as a one-way clique. Its brute-force inference is the definition that levels are held to.
RandomModel OverValues(const RandomModel& over_bins, const Levels& levels);

}  // namespace flaim
