#pragma once

#include <cstdint>
#include <span>

namespace flaim {

// An upper bound of the p-value of Pearson's chi-squared test of counts against probabilities. Cells that expect fewer
// than 20 counts are tested as one. Zero when a cell of probability zero was hit.
double GoodnessOfFitPValue(std::span<const std::int64_t> counts, std::span<const double> probabilities);

}  // namespace flaim
