#pragma once

#include <span>
#include <vector>

namespace flaim {

// The distribution nearest to noisy shares in the Euclidean sense: all lowered by the same amount, and those below zero
// set to zero. REQUIRES: not empty, all finite.
std::vector<double> NearestShares(std::span<const double> noisy);

}  // namespace flaim
