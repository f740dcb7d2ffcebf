#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/table/bins.h"

namespace flaim {

// Bins that the noise can carry. A marginal of n cells with noise sigma in each has an error of about n sigma, whatever
// is in the cells, so values that hold less than the noise of what will be measured are better counted together. What
// they are like inside a bin is known from the one-way marginals (levels_in_bins.h).
//
// Everything here depends on released shares only.

// Neighbouring values are joined until a bin holds `least`. A value that holds as much stays by itself; a last bin that
// holds less is joined to the one before, if there is one.
std::vector<std::uint32_t> JoinNeighbours(std::span<const double> shares, double least);

// All values that hold less than `least` become one bin, the last.
std::vector<std::uint32_t> JoinRare(std::span<const double> shares, double least);

// Of each attribute, by whether its values have an order. REQUIRES: shares for each value of each attribute.
Bins MakeBins(const Domain& domain, const std::vector<bool>& is_ordered, const std::vector<std::vector<double>>& shares,
              double least);

}  // namespace flaim
