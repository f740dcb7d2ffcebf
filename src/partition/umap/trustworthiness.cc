#include "partition/umap/trustworthiness.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/status.h"
#include "partition/umap/counter_random.h"

namespace flaim {
namespace {

std::vector<std::uint32_t> SampleOf(std::size_t points, const TrustworthinessOptions& options) {
  std::vector<std::uint32_t> order(points);
  std::iota(order.begin(), order.end(), 0U);
  if (options.sample >= points) return order;
  CounterRandom random(options.seed, 0, 0);
  for (std::size_t place = 0; place < options.sample; ++place) {
    std::swap(order[place], order[place + random.Below(points - place)]);
  }
  order.resize(options.sample);
  return order;
}

std::vector<std::uint32_t> NearestInPlane(const PlanePoints& places, std::size_t point, std::size_t count) {
  std::vector<std::pair<float, std::uint32_t>> others;
  others.reserve(places.size());
  for (std::size_t other = 0; other < places.size(); ++other) {
    const float x = places[other].x - places[point].x;
    const float y = places[other].y - places[point].y;
    if (other != point) others.emplace_back(x * x + y * y, static_cast<std::uint32_t>(other));
  }
  const auto last = others.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(others.begin(), last, others.end());
  std::vector<std::uint32_t> nearest;
  for (auto other = others.begin(); other != last; ++other) nearest.push_back(other->second);
  return nearest;
}

// The sum over the nearest in the plane of how far beyond k they really are.
double ExcessOfRanks(const Points& points, const PlanePoints& places, std::size_t point, std::size_t neighbours) {
  std::vector<float> distances;
  distances.reserve(points.size());
  for (std::size_t other = 0; other < points.size(); ++other) {
    if (other != point) distances.push_back(SquaredDistance(points.at(point), points.at(other)));
  }
  double excess = 0;
  for (const std::uint32_t near : NearestInPlane(places, point, neighbours)) {
    const float distance = SquaredDistance(points.at(point), points.at(near));
    const auto nearer =
        std::count_if(distances.begin(), distances.end(), [distance](float other) { return other < distance; });
    excess += std::max(0.0, static_cast<double>(nearer) + 1 - static_cast<double>(neighbours));
  }
  return excess;
}

}  // namespace

absl::StatusOr<double> Trustworthiness(const Points& points, const PlanePoints& places,
                                       const TrustworthinessOptions& options, Parallel& parallel) {
  if (points.size() != places.size()) return InvalidArgument("{} places of {} points", places.size(), points.size());
  if (options.neighbours == 0 || 2 * options.neighbours >= points.size()) {
    return InvalidArgument("the trustworthiness of {} neighbours needs more than {} points, not {}", options.neighbours,
                           2 * options.neighbours, points.size());
  }
  const std::vector<std::uint32_t> sample = SampleOf(points.size(), options);
  std::vector<double> excess(sample.size());
  RETURN_IF_ERROR(parallel.ForUnlessStopped(sample.size(), [&](std::size_t place, int) {
    excess[place] = ExcessOfRanks(points, places, sample[place], options.neighbours);
  }));
  const auto k = static_cast<double>(options.neighbours);
  const double worst =
      static_cast<double>(sample.size()) * k * (2 * static_cast<double>(points.size()) - 3 * k - 1) / 2;
  return 1 - std::accumulate(excess.begin(), excess.end(), 0.0) / worst;
}

}  // namespace flaim
