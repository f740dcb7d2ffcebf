#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "partition/umap/points.h"

namespace flaim {

struct TrustworthinessOptions {
  std::size_t neighbours = 15;
  std::size_t sample = 2000;  // of points whose neighbours are looked at; all if there are fewer
  std::uint64_t seed = 0;     // of the sample
};

// Whether the neighbours of a point in the plane are its neighbours (Venna and Kaski): 1 if they are among the k
// nearest, and less by how far down the order of distances each of the others is,
//
//   1 - 2 / (n k (2N - 3k - 1)) sum over n sampled points i, sum over the k nearest j of i in the plane, max(0, r_i(j)
//   - k)
//
// where r_i(j) is 1 more than the number of points that are nearer to i than j among all N. So points at equal distance
// share the better rank; in coded tables many are. Refuses points that are not as many as their places, and k >= N / 2.
absl::StatusOr<double> Trustworthiness(const Points& points, const PlanePoints& places,
                                       const TrustworthinessOptions& options, Parallel& parallel);

}  // namespace flaim
