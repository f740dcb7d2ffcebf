#pragma once

#include "base/parallel.h"
#include "partition/umap/points.h"

namespace flaim {

// The points seen along their two directions of largest variance, about their mean. The first coordinate varies most.
// The same bits whatever the threads. Directions of nearly equal variance may be any in the plane that they span.
PlanePoints ProjectOnPrincipalPlane(const Points& points, Parallel& parallel);

}  // namespace flaim
