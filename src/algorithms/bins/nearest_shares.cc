#include "algorithms/bins/nearest_shares.h"

#include <algorithm>
#include <functional>

#include "base/check.h"

namespace flaim {

std::vector<double> NearestShares(std::span<const double> noisy) {
  CHECK(!noisy.empty());
  std::vector<double> falling(noisy.begin(), noisy.end());
  std::sort(falling.begin(), falling.end(), std::greater<>());
  // With the k largest above zero, each is lowered by (their sum - 1) / k; k is as large as leaves the least of them
  // above zero.
  double sum = 0;
  double lowered_by = 0;
  for (std::size_t k = 0; k < falling.size(); ++k) {
    sum += falling[k];
    const double excess = (sum - 1) / static_cast<double>(k + 1);
    if (falling[k] - excess > 0) lowered_by = excess;
  }
  std::vector<double> shares;
  shares.reserve(noisy.size());
  for (const double share : noisy) shares.push_back(std::max(0.0, share - lowered_by));
  return shares;
}

}  // namespace flaim
