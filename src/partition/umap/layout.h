#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/progress.h"
#include "partition/umap/distance_curve.h"
#include "partition/umap/fuzzy_graph.h"
#include "partition/umap/points.h"

namespace flaim {

struct LayoutOptions {
  int epochs = 200;
  int repulsions_per_attraction = 5;
  std::uint64_t seed = 0;
};

// UMAP's layout: tied points attract each other, each tie in a share of the epochs that is its strength over the
// largest one, and with each attraction a point is repelled by a few points drawn at random. Steps shrink to 0.
//
// In an epoch every point moves on its own, one force after another, while it sees all others where they were when the
// epoch began. So the result is the same whatever the threads, which stochastic descent on shared positions (umap-learn
// with threads) is not; and as a point sees its own moves, it does not overshoot as in one sum of all forces.
//
// A tie is stored at both its ends, and each end moves when it is due. umap-learn moves both ends for each: twice as
// often. Pulling each end twice here gave worse layouts of Adult (trustworthiness .956 against .981, one seed, with the
// same neighbours); why was not looked into.
// Cancelled if the team is to stop.
absl::Status RunLayout(const FuzzyGraph& graph, const DistanceCurve& curve, const LayoutOptions& options,
                       Parallel& parallel, ProgressSink& progress, PlanePoints& points);

}  // namespace flaim
