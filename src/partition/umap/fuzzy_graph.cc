#include "partition/umap/fuzzy_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "partition/parallel_blocks.h"

namespace flaim {
namespace {

constexpr int kBisections = 64;
constexpr double kCloseEnough = 1e-5;
constexpr double kLeastScale = 1e-3;  // of the mean distance
constexpr std::size_t kGraphBlock = 1024;

// A tie as one of its two points sees it.
using Tie = std::pair<std::uint32_t, float>;

double Sum(std::span<const float> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double SumOfTies(std::span<const float> distances, const LocalScale& local) {
  double sum = 0;
  for (const float distance : distances) sum += StrengthOfTie(local, distance);
  return sum;
}

// Ties sorted by who has them: those that a point sees, or those in which it is seen.
struct TieLists {
  std::vector<std::size_t> starts;
  std::vector<Tie> ties;

  std::span<const Tie> of(std::size_t point) const {
    return std::span(ties).subspan(starts[point], starts[point + 1] - starts[point]);
  }
};

TieLists AsSeen(const Neighbours& neighbours, std::size_t points, Parallel& parallel) {
  TieLists lists{std::vector<std::size_t>(points + 1), std::vector<Tie>(neighbours.points.size())};
  for (std::size_t point = 0; point <= points; ++point) lists.starts[point] = point * neighbours.count;
  const double mean = Sum(neighbours.distances) / static_cast<double>(neighbours.distances.size());
  ForEachInBlocks(points, kGraphBlock, parallel, [&](std::size_t point, int) {
    const std::span<const float> distances = neighbours.distances_of(point);
    const LocalScale local = FindLocalScale(distances, mean);
    const auto ties = std::span(lists.ties).subspan(lists.starts[point], neighbours.count);
    for (std::size_t place = 0; place < ties.size(); ++place) {
      ties[place] = {neighbours.of(point)[place], static_cast<float>(StrengthOfTie(local, distances[place]))};
    }
    std::sort(ties.begin(), ties.end());
  });
  return lists;
}

TieLists SeenBy(const TieLists& seen, std::size_t points) {
  TieLists by{std::vector<std::size_t>(points + 1), std::vector<Tie>(seen.ties.size())};
  for (const Tie& tie : seen.ties) ++by.starts[tie.first + 1];
  std::partial_sum(by.starts.begin(), by.starts.end(), by.starts.begin());
  std::vector<std::size_t> next(by.starts.begin(), by.starts.end() - 1);
  for (std::size_t point = 0; point < points; ++point) {
    for (const auto& [other, strength] : seen.of(point)) {
      by.ties[next[other]++] = {static_cast<std::uint32_t>(point), strength};
    }
  }
  return by;
}

// Walks two ascending lists as one and calls visit(point, strength of either).
template <typename Visit>
void Unite(std::span<const Tie> first, std::span<const Tie> second, const Visit& visit) {
  auto one = first.begin();
  auto other = second.begin();
  while (one != first.end() || other != second.end()) {
    if (other == second.end() || (one != first.end() && one->first < other->first)) {
      if (one->second > 0) visit(one->first, one->second);
      ++one;
    } else if (one == first.end() || other->first < one->first) {
      if (other->second > 0) visit(other->first, other->second);
      ++other;
    } else {
      const float either = one->second + other->second - one->second * other->second;
      if (either > 0) visit(one->first, either);
      ++one;
      ++other;
    }
  }
}

}  // namespace

LocalScale FindLocalScale(std::span<const float> distances, double mean_distance) {
  LocalScale local{.nearest = 0, .scale = 1};
  const auto positive = std::find_if(distances.begin(), distances.end(), [](float distance) { return distance > 0; });
  if (positive != distances.end()) local.nearest = *positive;
  const double target = std::log2(static_cast<double>(distances.size()) + 1);
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kBisections; ++step) {
    const double sum = SumOfTies(distances, local);
    if (std::abs(sum - target) < kCloseEnough) break;
    (sum > target ? high : low) = local.scale;
    local.scale = std::isinf(high) ? local.scale * 2 : (low + high) / 2;
  }
  // The point itself, at distance 0, counts in its own mean.
  const double own_mean = Sum(distances) / (static_cast<double>(distances.size()) + 1);
  local.scale = std::max(local.scale, kLeastScale * (local.nearest > 0 ? own_mean : mean_distance));
  return local;
}

double StrengthOfTie(const LocalScale& local, double distance) {
  if (distance <= local.nearest || local.scale == 0) return 1;
  return std::exp(-(distance - local.nearest) / local.scale);
}

FuzzyGraph TieNeighbours(const Neighbours& neighbours, Parallel& parallel) {
  FuzzyGraph graph;
  if (neighbours.count == 0) return graph;
  const std::size_t points = neighbours.points.size() / neighbours.count;
  const TieLists seen = AsSeen(neighbours, points, parallel);
  const TieLists by = SeenBy(seen, points);
  graph.starts.resize(points + 1);
  ForEachInBlocks(points, kGraphBlock, parallel, [&](std::size_t point, int) {
    std::size_t ties = 0;
    Unite(seen.of(point), by.of(point), [&](std::uint32_t, float) { ++ties; });
    graph.starts[point + 1] = ties;
  });
  std::partial_sum(graph.starts.begin(), graph.starts.end(), graph.starts.begin());
  graph.points.resize(graph.starts.back());
  graph.strengths.resize(graph.starts.back());
  ForEachInBlocks(points, kGraphBlock, parallel, [&](std::size_t point, int) {
    std::size_t place = graph.starts[point];
    Unite(seen.of(point), by.of(point), [&](std::uint32_t other, float strength) {
      graph.points[place] = other;
      graph.strengths[place++] = strength;
    });
  });
  return graph;
}

}  // namespace flaim
