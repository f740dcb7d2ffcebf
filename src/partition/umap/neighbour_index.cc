#include "partition/umap/neighbour_index.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>

#include "base/status.h"
#include "hnswlib/hnswlib.h"
#include "partition/umap/counter_random.h"

namespace flaim {
namespace {

constexpr std::size_t kGraphs = 4;
// All graphs take so many points before somebody asks whether to go on. A multiple of kGraphs.
constexpr std::size_t kPlacesPerLook = 1024;
constexpr std::size_t kLinks = 8;
constexpr std::size_t kConstructionWidth = 30;
constexpr std::size_t kSearchWidth = 16;
constexpr std::size_t kLanes = 4;  // hnswlib's fast distances want a multiple of it

std::vector<std::uint32_t> Shuffled(std::size_t size, std::uint64_t seed) {
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  CounterRandom random(seed, 0, 0);
  for (std::size_t left = size; left > 1; --left) std::swap(order[left - 1], order[random.Below(left)]);
  return order;
}

}  // namespace

class NeighbourIndex::Graph {
 public:
  Graph(std::size_t dimensions, std::size_t capacity, std::size_t seed)
      : space_(dimensions), graph_(&space_, capacity, kLinks, kConstructionWidth, seed) {
    graph_.setEf(kSearchWidth);
  }

  void Add(const float* place, std::uint32_t point) { graph_.addPoint(place, point, -1); }

  void Search(const float* place, std::size_t count, std::vector<FoundPoint>& found) const {
    for (auto nearest = graph_.searchKnn(place, count); !nearest.empty(); nearest.pop()) {
      found.emplace_back(nearest.top().first, static_cast<std::uint32_t>(nearest.top().second));
    }
  }

 private:
  hnswlib::L2Space space_;
  hnswlib::HierarchicalNSW<float> graph_;
};

NeighbourIndex::NeighbourIndex(NeighbourIndex&&) noexcept = default;
NeighbourIndex& NeighbourIndex::operator=(NeighbourIndex&&) noexcept = default;
NeighbourIndex::~NeighbourIndex() = default;

NeighbourIndex::NeighbourIndex(const Points& points)
    : width_((points.dimensions + kLanes - 1) / kLanes * kLanes), padded_(points.size() * width_), graphs_(kGraphs) {
  for (std::size_t point = 0; point < points.size(); ++point) {
    const std::span<const float> place = points.at(point);
    std::copy(place.begin(), place.end(), padded_.begin() + static_cast<std::ptrdiff_t>(point * width_));
  }
}

absl::StatusOr<NeighbourIndex> NeighbourIndex::Build(const Points& points, std::uint64_t seed, Parallel& parallel) {
  NeighbourIndex index(points);
  const std::vector<std::uint32_t> order = Shuffled(points.size(), seed);
  std::atomic<bool> failed = false;
  for (std::size_t first = 0; first < order.size() && !failed; first += kPlacesPerLook) {
    const std::size_t end = std::min(order.size(), first + kPlacesPerLook);
    RETURN_IF_ERROR(parallel.ForUnlessStopped(kGraphs, [&](std::size_t graph, int) {
      std::unique_ptr<Graph>& built = index.graphs_[graph];
      try {
        if (!built) built = std::make_unique<Graph>(index.width_, order.size() / kGraphs + 1, graph + 1);
        for (std::size_t place = first + graph; place < end; place += kGraphs) {
          built->Add(index.Place(order[place]), order[place]);
        }
      } catch (const std::exception&) {
        failed = true;
      }
    }));
  }
  if (!failed) return index;
  return ResourceExhausted("not enough memory for the neighbours of {} rows of {} columns; use fewer rows",
                           points.size(), points.dimensions);
}

void NeighbourIndex::Search(std::uint32_t point, std::size_t count, std::vector<FoundPoint>& found) const {
  found.clear();
  for (const auto& graph : graphs_) graph->Search(Place(point), count + 1, found);
  std::erase_if(found, [point](const FoundPoint& other) { return other.second == point; });
  std::sort(found.begin(), found.end());
  if (found.size() > count) found.resize(count);
}

}  // namespace flaim
