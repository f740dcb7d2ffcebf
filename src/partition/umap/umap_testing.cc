#include "partition/umap/umap_testing.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

Neighbours FindNeighboursNaively(const Points& points, std::size_t count) {
  Neighbours neighbours{.count = points.size() == 0 ? 0 : std::min(count, points.size() - 1)};
  for (std::uint32_t point = 0; point < points.size(); ++point) {
    std::vector<std::pair<float, std::uint32_t>> others;
    for (std::uint32_t other = 0; other < points.size(); ++other) {
      if (other != point) others.emplace_back(SquaredDistance(points.at(point), points.at(other)), other);
    }
    std::sort(others.begin(), others.end());
    for (std::size_t place = 0; place < neighbours.count; ++place) {
      neighbours.points.push_back(others[place].second);
      neighbours.distances.push_back(std::sqrt(others[place].first));
    }
  }
  return neighbours;
}

}  // namespace flaim
