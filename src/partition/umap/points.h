#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/table/table.h"

namespace flaim {

// Points of a space with any number of dimensions, one after the other.
struct Points {
  std::size_t dimensions = 0;
  std::vector<float> coordinates = {};

  std::size_t size() const { return dimensions == 0 ? 0 : coordinates.size() / dimensions; }
  std::span<const float> at(std::size_t point) const {
    return std::span(coordinates).subspan(point * dimensions, dimensions);
  }
};

// A point of the plane.
struct PlanePoint {
  float x = 0;
  float y = 0;

  bool operator==(const PlanePoint&) const = default;
};

using PlanePoints = std::vector<PlanePoint>;

// Each row as a point, its codes as they are. So the order of the codes has a meaning, as in the paper: codes of a
// categorical column that happen to be neighbours count as near. Exact for codes up to 2^24.
Points CodesAsPoints(const Table& table);

// Squared Euclidean distance. REQUIRES: equal lengths.
float SquaredDistance(std::span<const float> first, std::span<const float> second);

}  // namespace flaim
