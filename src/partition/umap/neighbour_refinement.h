#pragma once

#include "base/parallel.h"
#include "partition/umap/nearest_neighbours.h"
#include "partition/umap/points.h"

namespace flaim {

// Improves neighbours that were found by searching: each point looks again at itself and its neighbours, at their
// neighbours, and at whoever has it as a neighbour, and keeps the nearest. So a point that a search does not lead to is
// found by those that it found itself. Each point reads the lists as they were before: the same whatever the threads.
Neighbours RefineNeighbours(const Points& points, const Neighbours& found, Parallel& parallel);

}  // namespace flaim
