#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "marginal/kernels/count.h"
#include "marginal/public_shares.h"

// For tests and benchmarks only: the distance by its definition, cell by cell.
namespace flaim {

inline ShareDistance NaiveShareDistance(const Table& rows, const Clique& clique, const PublicShares& shares) {
  std::vector<std::int64_t> counts(shares.units().size());
  CountClique(rows, clique, counts);
  const auto size = static_cast<std::int64_t>(rows.rows());
  ShareDistance distance;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    distance.units += std::abs(counts[cell] * PublicShares::kUnit - size * shares.units()[cell]);
  }
  return distance;
}

}  // namespace flaim
