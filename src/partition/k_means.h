#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "partition/umap/points.h"

namespace flaim {

struct KMeansOptions {
  std::size_t clusters = 1;
  int restarts = 5;          // the best of them is taken
  int max_iterations = 300;  // of each
  std::uint64_t seed = 0;
};

struct Clustering {
  std::vector<std::uint32_t> cluster_of = {};  // of each point
  std::vector<PlanePoint> centres = {};
  double inertia = 0;  // the sum of squared distances of points to the centre of their cluster

  bool operator==(const Clustering&) const = default;
};

// Lloyd's algorithm from k-means++ starts, each centre the best of a few that were drawn. No cluster is empty: one that
// loses its points gets the point that is farthest from its centre. The same for a seed, whatever the threads: a local
// optimum, as always. REQUIRES: 1 <= clusters <= points, restarts >= 1.
Clustering FindClusters(const PlanePoints& points, const KMeansOptions& options, Parallel& parallel);

}  // namespace flaim
