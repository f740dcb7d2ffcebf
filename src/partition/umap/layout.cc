#include "partition/umap/layout.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/status.h"
#include "partition/parallel_blocks.h"
#include "partition/umap/counter_random.h"
#include "partition/umap/force_table.h"

namespace flaim {
namespace {

constexpr std::size_t kLayoutBlock = 256;
constexpr float kLargestMove = 4;

struct Epoch {
  int number = 0;
  float step = 1;
};

// std::clamp compiles to jumps, which are mispredicted.
float Limited(float move) { return std::min(std::max(move, -kLargestMove), kLargestMove); }

void Move(PlanePoint& point, float difference_x, float difference_y, float force, float step) {
  point.x += step * Limited(force * difference_x);
  point.y += step * Limited(force * difference_y);
}

void Attract(PlanePoint& point, const PlanePoint& other, const ForceTable& forces, float step) {
  const float x = point.x - other.x;
  const float y = point.y - other.y;
  Move(point, x, y, forces.AttractionAt(x * x + y * y), step);
}

void Repel(PlanePoint& point, const PlanePoint& other, const ForceTable& forces, float step) {
  const float x = point.x - other.x;
  const float y = point.y - other.y;
  Move(point, x, y, forces.RepulsionAt(x * x + y * y), step);
}

// A tie of rate r is due r times an epoch on average, evenly.
bool IsDue(float rate, int epoch) {
  return static_cast<int>(rate * static_cast<float>(epoch + 1)) != static_cast<int>(rate * static_cast<float>(epoch));
}

class Layout {
 public:
  Layout(const FuzzyGraph& graph, const DistanceCurve& curve, const LayoutOptions& options)
      : graph_(graph), forces_(curve), options_(options), rates_(graph.strengths) {
    const auto strongest = std::max_element(rates_.begin(), rates_.end());
    if (strongest == rates_.end()) return;
    const float largest = *strongest;
    for (float& rate : rates_) rate /= largest;
  }

  PlanePoint Moved(const PlanePoints& before, std::size_t point, const Epoch& epoch) const {
    PlanePoint moved = before[point];
    CounterRandom random(options_.seed, static_cast<std::uint64_t>(epoch.number), point);
    for (std::size_t tie = graph_.starts[point]; tie < graph_.starts[point + 1]; ++tie) {
      if (!IsDue(rates_[tie], epoch.number)) continue;
      Attract(moved, before[graph_.points[tie]], forces_, epoch.step);
      for (int repulsion = 0; repulsion < options_.repulsions_per_attraction; ++repulsion) {
        const std::size_t stranger = random.Below(before.size());
        if (stranger != point) Repel(moved, before[stranger], forces_, epoch.step);
      }
    }
    return moved;
  }

 private:
  const FuzzyGraph& graph_;
  const ForceTable forces_;
  const LayoutOptions options_;
  std::vector<float> rates_;
};

}  // namespace

absl::Status RunLayout(const FuzzyGraph& graph, const DistanceCurve& curve, const LayoutOptions& options,
                       Parallel& parallel, ProgressSink& progress, PlanePoints& points) {
  CHECK(points.size() == graph.size(), "{} points for a graph of {}", points.size(), graph.size());
  const Layout layout(graph, curve, options);
  PlanePoints moved(points.size());
  for (int number = 0; number < options.epochs; ++number) {
    RETURN_IF_ERROR(parallel.StopIfAsked());
    const Epoch epoch{number, 1 - static_cast<float>(number) / static_cast<float>(options.epochs)};
    ForEachInBlocks(points.size(), kLayoutBlock, parallel,
                    [&](std::size_t point, int) { moved[point] = layout.Moved(points, point, epoch); });
    points.swap(moved);
    progress.Report({.step = "laying out rows",
                     .done = static_cast<std::uint64_t>(number) + 1,
                     .total = static_cast<std::uint64_t>(options.epochs),
                     .detail = ""});
  }
  return absl::OkStatus();
}

}  // namespace flaim
