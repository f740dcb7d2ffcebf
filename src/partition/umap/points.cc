#include "partition/umap/points.h"

#include <variant>

#include "base/check.h"

namespace flaim {

Points CodesAsPoints(const Table& table) {
  const auto dimensions = static_cast<std::size_t>(table.domain().size());
  Points points{.dimensions = dimensions, .coordinates = std::vector<float>(table.rows() * dimensions)};
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    std::visit(
        [&](const auto codes) {
          float* place = points.coordinates.data() + dimension;
          for (const auto code : codes) {
            *place = static_cast<float>(code);
            place += dimensions;
          }
        },
        table.column(static_cast<AttributeIndex>(dimension)));
  }
  return points;
}

float SquaredDistance(std::span<const float> first, std::span<const float> second) {
  CHECK(first.size() == second.size(), "points of {} and {} dimensions", first.size(), second.size());
  float sum = 0;
  for (std::size_t dimension = 0; dimension < first.size(); ++dimension) {
    const float difference = first[dimension] - second[dimension];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace flaim
