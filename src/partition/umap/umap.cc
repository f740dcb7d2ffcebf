#include "partition/umap/umap.h"

#include <algorithm>

#include "base/status.h"
#include "partition/umap/counter_random.h"
#include "partition/umap/fuzzy_graph.h"
#include "partition/umap/layout.h"
#include "partition/umap/nearest_neighbours.h"
#include "partition/umap/principal_plane.h"

namespace flaim {
namespace {

constexpr std::size_t kManyPoints = 10'000;
constexpr float kStartSize = 10;
constexpr float kStartNoise = 1e-3F;

// Into a square of size 10, and a little apart, so that repeated points can part.
void ScaleToStart(PlanePoints& points, std::uint64_t seed) {
  const auto [left, right] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  const auto [bottom, top] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
  const PlanePoint corner{left->x, bottom->y};
  const float width = right->x - left->x;
  const float height = top->y - bottom->y;
  for (std::size_t point = 0; point < points.size(); ++point) {
    CounterRandom random(seed, 0, point);
    PlanePoint& place = points[point];
    place.x = (width > 0 ? kStartSize * (place.x - corner.x) / width : 0) + kStartNoise * random.Signed();
    place.y = (height > 0 ? kStartSize * (place.y - corner.y) / height : 0) + kStartNoise * random.Signed();
  }
}

// One number for each purpose, from the one that the user chose.
struct Seeds {
  explicit Seeds(std::uint64_t seed) : neighbours(0), start(0), layout(0) {
    CounterRandom random(seed, 0, 0);
    neighbours = random.Next();
    start = random.Next();
    layout = random.Next();
  }
  std::uint64_t neighbours;
  std::uint64_t start;
  std::uint64_t layout;
};

}  // namespace

absl::StatusOr<PlanePoints> EmbedInPlane(const Points& points, const UmapOptions& options, Parallel& parallel,
                                         ProgressSink& progress) {
  if (points.size() == 0) return InvalidArgument("there are no rows to embed; give a table with rows");
  if (options.neighbours < 2) return InvalidArgument("UMAP needs at least 2 neighbours, the row itself being one");
  ASSIGN_OR_RETURN(const DistanceCurve curve, FitCurve(options.shape));
  const Seeds seeds(options.seed);
  progress.Report({.step = "finding neighbours", .done = 0, .total = 1, .detail = ""});
  ASSIGN_OR_RETURN(const Neighbours neighbours,
                   FindNeighbours(points, options.neighbours - 1, seeds.neighbours, parallel));
  progress.Report({.step = "finding neighbours", .done = 1, .total = 1, .detail = ""});
  if (points.size() == 1) return PlanePoints(1);
  RETURN_IF_ERROR(parallel.StopIfAsked());
  const FuzzyGraph graph = TieNeighbours(neighbours, parallel);
  PlanePoints places = ProjectOnPrincipalPlane(points, parallel);
  ScaleToStart(places, seeds.start);
  const int epochs = options.epochs.value_or(points.size() > kManyPoints ? 200 : 500);
  RETURN_IF_ERROR(RunLayout(graph, curve, {.epochs = epochs, .seed = seeds.layout}, parallel, progress, places));
  return places;
}

}  // namespace flaim
