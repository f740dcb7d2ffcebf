#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "partition/umap/distance_curve.h"
#include "partition/umap/points.h"

namespace flaim {

// As in the paper and in umap-learn's defaults.
struct UmapOptions {
  std::size_t neighbours = 15;  // the point itself is one of them
  CurveShape shape = {};
  // Of the layout; without it 200 for more than 10,000 points and 500 for fewer.
  std::optional<int> epochs = std::nullopt;
  std::uint64_t seed = 0;
};

// UMAP (McInnes, Healy, Melville 2018) into the plane: points that are near each other stay near each other, far
// distances mean little. Starts from the principal plane. The same for a seed, whatever the threads; another compiler
// or library of mathematics may round differently and end elsewhere.
//
// Refuses no points, fewer than 2 neighbours, and what FindNeighbours() and FitCurve() refuse.
absl::StatusOr<PlanePoints> EmbedInPlane(const Points& points, const UmapOptions& options, Parallel& parallel,
                                         ProgressSink& progress);

}  // namespace flaim
