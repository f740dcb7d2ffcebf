#include "partition/umap/nearest_neighbours.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/status.h"
#include "partition/parallel_blocks.h"
#include "partition/umap/counter_random.h"
#include "partition/umap/distinct_points.h"
#include "partition/umap/neighbour_index.h"
#include "partition/umap/neighbour_refinement.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxPoints = std::size_t{1} << 31;
constexpr std::size_t kSearchBlock = 256;
constexpr int kRefinements = 2;

// The neighbours of one point as they are collected.
class NeighbourList {
 public:
  NeighbourList(Neighbours& neighbours, std::uint32_t point, std::uint64_t seed)
      : point_(point),
        points_(std::span(neighbours.points).subspan(point * neighbours.count, neighbours.count)),
        distances_(std::span(neighbours.distances).subspan(point * neighbours.count, neighbours.count)),
        random_(seed, 1, point) {}

  bool full() const { return size_ == points_.size(); }

  // All members of a group but the point itself, or a random choice if there is no room for all.
  void Add(std::span<const std::uint32_t> members, float distance) {
    const std::size_t room = points_.size() - size_;
    if (members.size() <= room + 1) {
      for (const std::uint32_t member : members) AddOne(member, distance);
      return;
    }
    const std::size_t before = size_;
    while (!full()) {
      const std::uint32_t member = members[random_.Below(members.size())];
      const auto chosen = points_.subspan(before, size_ - before);
      if (std::find(chosen.begin(), chosen.end(), member) == chosen.end()) AddOne(member, distance);
    }
  }

 private:
  void AddOne(std::uint32_t member, float distance) {
    if (member == point_ || full()) return;
    points_[size_] = member;
    distances_[size_] = distance;
    ++size_;
  }

  const std::uint32_t point_;
  const std::span<std::uint32_t> points_;
  const std::span<float> distances_;
  std::size_t size_ = 0;
  CounterRandom random_;
};

Neighbours RoomFor(std::size_t points, std::size_t count) {
  const std::size_t possible = points == 0 ? 0 : std::min(count, points - 1);
  return {.count = possible,
          .points = std::vector<std::uint32_t>(points * possible),
          .distances = std::vector<float>(points * possible)};
}

void Write(std::span<const FoundPoint> nearest, std::size_t point, Neighbours& neighbours) {
  for (std::size_t place = 0; place < neighbours.count; ++place) {
    neighbours.points[point * neighbours.count + place] = nearest[place].second;
    neighbours.distances[point * neighbours.count + place] = std::sqrt(nearest[place].first);
  }
}

void SearchAll(const Points& points, std::size_t point, std::size_t count, std::vector<FoundPoint>& found) {
  found.clear();
  for (std::size_t other = 0; other < points.size(); ++other) {
    if (other == point) continue;
    found.emplace_back(SquaredDistance(points.at(point), points.at(other)), static_cast<std::uint32_t>(other));
  }
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
}

Points FirstOfEachGroup(const Points& points, const DistinctPoints& distinct) {
  Points firsts{.dimensions = points.dimensions};
  firsts.coordinates.reserve(distinct.groups() * points.dimensions);
  for (std::size_t group = 0; group < distinct.groups(); ++group) {
    const std::span<const float> first = points.at(distinct.members(group).front());
    firsts.coordinates.insert(firsts.coordinates.end(), first.begin(), first.end());
  }
  return firsts;
}

// Of points that are different from each other.
absl::StatusOr<Neighbours> SearchDistinct(const Points& points, std::size_t count, std::uint64_t seed,
                                          Parallel& parallel) {
  Neighbours neighbours = RoomFor(points.size(), count);
  ASSIGN_OR_RETURN(const NeighbourIndex index, NeighbourIndex::Build(points, seed, parallel));
  std::vector<std::vector<FoundPoint>> found_by(static_cast<std::size_t>(parallel.threads()));
  ForEachInBlocks(points.size(), kSearchBlock, parallel, [&](std::size_t point, int thread) {
    std::vector<FoundPoint>& found = found_by[static_cast<std::size_t>(thread)];
    index.Search(static_cast<std::uint32_t>(point), neighbours.count, found);
    if (found.size() < neighbours.count) SearchAll(points, point, neighbours.count, found);
    Write(found, point, neighbours);
  });
  for (int round = 0; round < kRefinements; ++round) neighbours = RefineNeighbours(points, neighbours, parallel);
  return neighbours;
}

}  // namespace

absl::StatusOr<Neighbours> FindNeighbours(const Points& points, std::size_t count, std::uint64_t seed,
                                          Parallel& parallel) {
  if (points.size() > kMaxPoints) return InvalidArgument("{} rows are too many to embed", points.size());
  const DistinctPoints distinct(points);
  ASSIGN_OR_RETURN(const Neighbours groups, SearchDistinct(FirstOfEachGroup(points, distinct), count, seed, parallel));
  Neighbours neighbours = RoomFor(points.size(), count);
  ForEachInBlocks(points.size(), kSearchBlock, parallel, [&](std::size_t point, int) {
    const std::uint32_t group = distinct.group_of(point);
    NeighbourList list(neighbours, static_cast<std::uint32_t>(point), seed);
    list.Add(distinct.members(group), 0);
    for (std::size_t place = 0; place < groups.count && !list.full(); ++place) {
      list.Add(distinct.members(groups.of(group)[place]), groups.distances_of(group)[place]);
    }
  });
  return neighbours;
}

}  // namespace flaim
