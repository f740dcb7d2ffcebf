#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

namespace flaim {

// The L1 error that measuring a marginal adds: sqrt(2/pi) * sigma * n_q.
inline double ExpectedNoise(double sigma, std::size_t cells) {
  return std::sqrt(2 / std::numbers::pi) * sigma * static_cast<double>(cells);
}

}  // namespace flaim
