#include "partition/umap/umap_testing.h"

#include <algorithm>

#include "base/seeded_random_source.h"

namespace flaim {

Points CodedClusters(std::size_t points, std::size_t dimensions, std::size_t clusters, std::uint64_t seed) {
  SeededRandomSource random(seed, "coded clusters");
  std::vector<float> centres(clusters * dimensions);
  for (float& value : centres) value = static_cast<float>(random.NextBelow(100));
  Points coded{.dimensions = dimensions, .coordinates = {}};
  for (std::size_t point = 0; point < points; ++point) {
    const float* centre = centres.data() + CentreOf(point, clusters) * dimensions;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
      coded.coordinates.push_back(centre[dimension] + static_cast<float>(random.NextBelow(6)));
    }
  }
  return coded;
}

std::size_t CentreOf(std::size_t point, std::size_t clusters) { return point % clusters; }

}  // namespace flaim
