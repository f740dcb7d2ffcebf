#include "partition/k_means.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "partition/parallel_blocks.h"
#include "partition/umap/counter_random.h"

namespace flaim {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr double kStill = 1e-4;  // of the variance: centres that move less, all together, have arrived

float SquaredDistance(const PlanePoint& one, const PlanePoint& other) {
  const float x = one.x - other.x;
  const float y = one.y - other.y;
  return x * x + y * y;
}

// Finds the nearest of many centres by looking at those of similar x first, and no farther than the best so far.
class NearestCentre {
 public:
  explicit NearestCentre(const PlanePoints& centres) : centres_(centres), order_(centres.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t left, std::uint32_t right) { return centres[left].x < centres[right].x; });
    for (const std::uint32_t centre : order_) sorted_x_.push_back(centres[centre].x);
  }

  // `guess` is any centre; the nearer it is, the sooner the search ends.
  std::uint32_t To(const PlanePoint& point, std::uint32_t guess) const {
    std::uint32_t nearest = guess;
    float least = SquaredDistance(point, centres_[guess]);
    const auto look = [&](std::size_t place) {
      const float x = sorted_x_[place] - point.x;
      if (x * x > least) return false;
      const float distance = SquaredDistance(point, centres_[order_[place]]);
      if (distance < least) {
        least = distance;
        nearest = order_[place];
      }
      return true;
    };
    const auto middle = std::lower_bound(sorted_x_.begin(), sorted_x_.end(), point.x);
    const auto start = static_cast<std::size_t>(middle - sorted_x_.begin());
    for (std::size_t place = start; place < order_.size() && look(place);) ++place;
    for (std::size_t place = start; place > 0 && look(place - 1);) --place;
    return nearest;
  }

 private:
  const PlanePoints& centres_;
  std::vector<std::uint32_t> order_;
  std::vector<float> sorted_x_;
};

class KMeans {
 public:
  KMeans(const PlanePoints& points, const KMeansOptions& options, Parallel& parallel)
      : points_(points), options_(options), parallel_(parallel), distances_(points.size()) {
    PlanePoint mean;
    for (const PlanePoint& point : points) {
      mean.x += point.x / static_cast<float>(points.size());
      mean.y += point.y / static_cast<float>(points.size());
    }
    for (const PlanePoint& point : points) variance_ += SquaredDistance(point, mean);
    variance_ /= 2 * static_cast<double>(points.size());
  }

  Clustering Run(int restart) {
    CounterRandom random(options_.seed, static_cast<std::uint64_t>(restart), 0);
    Clustering clustering{.cluster_of = std::vector<std::uint32_t>(points_.size()), .centres = DrawCentres(random)};
    for (int iteration = 0; iteration < options_.max_iterations; ++iteration) {
      Assign(clustering);
      FillEmptyClusters(clustering);
      if (MoveCentres(clustering) <= kStill * variance_) break;
    }
    Assign(clustering);
    FillEmptyClusters(clustering);
    clustering.inertia = std::accumulate(distances_.begin(), distances_.end(), 0.0);
    return clustering;
  }

 private:
  // A point, drawn in proportion to its squared distance from the centres so far.
  std::size_t DrawFar(CounterRandom& random) {
    const double sum = std::accumulate(distances_.begin(), distances_.end(), 0.0);
    if (!(sum > 0)) return random.Below(points_.size());
    double left = sum * 0.5 * (1 + static_cast<double>(random.Signed()));
    for (std::size_t point = 0; point < points_.size(); ++point) {
      left -= distances_[point];
      if (left < 0) return point;
    }
    return points_.size() - 1;
  }

  std::vector<float> DistancesWith(std::size_t centre) {
    std::vector<float> distances(points_.size());
    ForEachInBlocks(points_.size(), kBlock, parallel_, [&](std::size_t point, int) {
      distances[point] = std::min(distances_[point], SquaredDistance(points_[point], points_[centre]));
    });
    return distances;
  }

  PlanePoints DrawCentres(CounterRandom& random) {
    const int trials = 2 + static_cast<int>(std::log(static_cast<double>(options_.clusters)));
    std::fill(distances_.begin(), distances_.end(), std::numeric_limits<float>::max());
    std::size_t chosen = random.Below(points_.size());
    distances_ = DistancesWith(chosen);
    PlanePoints centres = {points_[chosen]};
    while (centres.size() < options_.clusters) {
      double least = std::numeric_limits<double>::infinity();
      std::vector<float> best;
      for (int trial = 0; trial < trials; ++trial) {
        const std::size_t drawn = DrawFar(random);
        std::vector<float> distances = DistancesWith(drawn);
        const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
        if (sum >= least) continue;
        least = sum;
        chosen = drawn;
        best.swap(distances);
      }
      centres.push_back(points_[chosen]);
      distances_.swap(best);
    }
    return centres;
  }

  void Assign(Clustering& clustering) {
    const NearestCentre nearest(clustering.centres);
    ForEachInBlocks(points_.size(), kBlock, parallel_, [&](std::size_t point, int) {
      const std::uint32_t cluster = nearest.To(points_[point], clustering.cluster_of[point]);
      clustering.cluster_of[point] = cluster;
      distances_[point] = SquaredDistance(points_[point], clustering.centres[cluster]);
    });
  }

  void FillEmptyClusters(Clustering& clustering) {
    std::vector<std::size_t> sizes(options_.clusters);
    for (const std::uint32_t cluster : clustering.cluster_of) ++sizes[cluster];
    for (std::uint32_t cluster = 0; cluster < sizes.size(); ++cluster) {
      if (sizes[cluster] > 0) continue;
      std::size_t farthest = points_.size();
      for (std::size_t point = 0; point < points_.size(); ++point) {
        const bool can_go = sizes[clustering.cluster_of[point]] > 1;
        if (can_go && (farthest == points_.size() || distances_[point] > distances_[farthest])) farthest = point;
      }
      --sizes[clustering.cluster_of[farthest]];
      ++sizes[cluster];
      clustering.cluster_of[farthest] = cluster;
      clustering.centres[cluster] = points_[farthest];
      distances_[farthest] = 0;
    }
  }

  // Returns the sum of squares of how far they moved.
  double MoveCentres(Clustering& clustering) const {
    struct Sum {
      double x = 0;
      double y = 0;
      double points = 0;
    };
    std::vector<Sum> sums(options_.clusters);
    for (std::size_t point = 0; point < points_.size(); ++point) {
      Sum& sum = sums[clustering.cluster_of[point]];
      sum.x += static_cast<double>(points_[point].x);
      sum.y += static_cast<double>(points_[point].y);
      sum.points += 1;
    }
    double moved = 0;
    for (std::size_t cluster = 0; cluster < sums.size(); ++cluster) {
      const Sum& sum = sums[cluster];
      const PlanePoint centre{static_cast<float>(sum.x / sum.points), static_cast<float>(sum.y / sum.points)};
      moved += static_cast<double>(SquaredDistance(centre, clustering.centres[cluster]));
      clustering.centres[cluster] = centre;
    }
    return moved;
  }

  const PlanePoints& points_;
  const KMeansOptions options_;
  Parallel& parallel_;
  std::vector<float> distances_;  // squared, of each point to its centre
  double variance_ = 0;
};

}  // namespace

Clustering FindClusters(const PlanePoints& points, const KMeansOptions& options, Parallel& parallel) {
  CHECK(options.clusters >= 1 && options.clusters <= points.size(), "{} clusters of {} points", options.clusters,
        points.size());
  CHECK(options.restarts >= 1, "{} restarts", options.restarts);
  KMeans k_means(points, options, parallel);
  Clustering best = k_means.Run(0);
  for (int restart = 1; restart < options.restarts; ++restart) {
    Clustering other = k_means.Run(restart);
    if (other.inertia < best.inertia) best = std::move(other);
  }
  return best;
}

}  // namespace flaim
