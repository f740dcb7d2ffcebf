#pragma once

#include <cstddef>
#include <cstdint>

#include "partition/umap/nearest_neighbours.h"
#include "partition/umap/points.h"

namespace flaim {

// Points around `clusters` centres, as codes of a table: whole numbers, some of them repeated.
Points CodedClusters(std::size_t points, std::size_t dimensions, std::size_t clusters, std::uint64_t seed);

// Which centre each of those points was put around.
std::size_t CentreOf(std::size_t point, std::size_t clusters);

// As FindNeighbours, by comparing everything with everything. Ties go to the lower number.
Neighbours FindNeighboursNaively(const Points& points, std::size_t count);

}  // namespace flaim
