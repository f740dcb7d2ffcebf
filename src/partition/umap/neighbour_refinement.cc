#include "partition/umap/neighbour_refinement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "partition/parallel_blocks.h"

namespace flaim {
namespace {

constexpr std::size_t kRefinementBlock = 256;

// For each point, the points that have it as a neighbour.
struct Admirers {
  std::vector<std::size_t> starts;
  std::vector<std::uint32_t> points;

  std::span<const std::uint32_t> of(std::size_t point) const {
    return std::span(points).subspan(starts[point], starts[point + 1] - starts[point]);
  }
};

Admirers AdmirersOf(const Neighbours& found, std::size_t points) {
  Admirers admirers{std::vector<std::size_t>(points + 1), std::vector<std::uint32_t>(found.points.size())};
  for (const std::uint32_t neighbour : found.points) ++admirers.starts[neighbour + 1];
  std::partial_sum(admirers.starts.begin(), admirers.starts.end(), admirers.starts.begin());
  std::vector<std::size_t> next(admirers.starts.begin(), admirers.starts.end() - 1);
  for (std::size_t point = 0; point < points; ++point) {
    for (const std::uint32_t neighbour : found.of(point)) {
      admirers.points[next[neighbour]++] = static_cast<std::uint32_t>(point);
    }
  }
  return admirers;
}

// The nearest of the candidates that one point has looked at, each looked at once.
class Look {
 public:
  Look(const Points& points, std::size_t count) : points_(points), count_(count), seen_by_(points.size(), kNobody) {}

  void Start(std::uint32_t point) {
    point_ = point;
    seen_by_[point] = point;
    nearest_.clear();
  }

  void At(std::span<const std::uint32_t> candidates) {
    for (const std::uint32_t candidate : candidates) {
      if (std::exchange(seen_by_[candidate], point_) == point_) continue;
      const std::pair found(SquaredDistance(points_.at(point_), points_.at(candidate)), candidate);
      if (nearest_.size() == count_) {
        if (!(found < nearest_.front())) continue;
        std::pop_heap(nearest_.begin(), nearest_.end());
        nearest_.pop_back();
      }
      nearest_.push_back(found);
      std::push_heap(nearest_.begin(), nearest_.end());
    }
  }

  void WriteTo(Neighbours& refined) {
    std::sort_heap(nearest_.begin(), nearest_.end());
    for (std::size_t place = 0; place < nearest_.size(); ++place) {
      refined.points[point_ * count_ + place] = nearest_[place].second;
      refined.distances[point_ * count_ + place] = std::sqrt(nearest_[place].first);
    }
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffff;

  const Points& points_;
  const std::size_t count_;
  std::uint32_t point_ = kNobody;
  std::vector<std::uint32_t> seen_by_;
  std::vector<std::pair<float, std::uint32_t>> nearest_;
};

}  // namespace

Neighbours RefineNeighbours(const Points& points, const Neighbours& found, Parallel& parallel) {
  Neighbours refined = found;
  const Admirers admirers = AdmirersOf(found, points.size());
  std::vector<Look> looks(static_cast<std::size_t>(parallel.threads()), Look(points, found.count));
  ForEachInBlocks(points.size(), kRefinementBlock, parallel, [&](std::size_t point, int thread) {
    Look& look = looks[static_cast<std::size_t>(thread)];
    look.Start(static_cast<std::uint32_t>(point));
    look.At(found.of(point));
    look.At(admirers.of(point));
    for (const std::uint32_t neighbour : found.of(point)) look.At(found.of(neighbour));
    look.WriteTo(refined);
  });
  return refined;
}

}  // namespace flaim
