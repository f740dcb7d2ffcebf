#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "partition/umap/nearest_neighbours.h"

namespace flaim {

// How a point sees distances: its nearest neighbour that is not itself is at `nearest` and surely tied to it, and ties
// fade with exp(-(distance - nearest) / scale) beyond.
struct LocalScale {
  double nearest = 0;
  double scale = 0;
};

// The scale for which the ties of a point to its neighbours sum up to log2(neighbours + 1), as in the UMAP paper (where
// a point is a neighbour of itself). Repeated points are at distance 0, so `nearest` is the first distance above it.
// If more neighbours are at distance 0 than that sum, no scale reaches it, and if ties cannot fade enough, the scale is
// kept from vanishing by a thousandth of the mean distance: of the point's own, or where `nearest` is 0 of all points.
LocalScale FindLocalScale(std::span<const float> distances, double mean_distance);

// 1 up to `nearest`, then falling towards 0.
double StrengthOfTie(const LocalScale& local, double distance);

// Who is tied to whom, how strongly: symmetric, no loops, strengths in (0, 1]. The ties of a point ascend.
struct FuzzyGraph {
  std::vector<std::size_t> starts = {0};  // of each point's ties, and the end
  std::vector<std::uint32_t> points = {};
  std::vector<float> strengths = {};

  std::size_t size() const { return starts.size() - 1; }
  bool operator==(const FuzzyGraph&) const = default;
};

// UMAP's fuzzy simplicial set: two points are tied if either sees the other as tied, a + b - ab.
FuzzyGraph TieNeighbours(const Neighbours& neighbours, Parallel& parallel);

}  // namespace flaim
