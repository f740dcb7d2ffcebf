#include "partition/umap/principal_plane.h"

#include <cmath>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// Points spread along (3, 4, 0) / 5 most and (0, 0, 1) less.
TEST(PrincipalPlane, SeesPointsAlongTheirLargestVariances) {
  SeededRandomSource random(1);
  Points points{.dimensions = 3};
  std::vector<std::pair<double, double>> along;
  double mean_first = 0;
  double mean_second = 0;
  for (int point = 0; point < 500; ++point) {
    const double first = 100 * random.NextUnit();
    const double second = 20 * random.NextUnit();
    along.emplace_back(first, second);
    mean_first += first / 500;
    mean_second += second / 500;
    for (const double value : {0.6 * first, 0.8 * first, second}) {
      points.coordinates.push_back(static_cast<float>(value));
    }
  }
  Parallel parallel(2);
  const PlanePoints seen = ProjectOnPrincipalPlane(points, parallel);
  for (std::size_t point = 0; point < seen.size(); ++point) {
    EXPECT_NEAR(std::abs(seen[point].x), std::abs(along[point].first - mean_first), 3);
    EXPECT_NEAR(std::abs(seen[point].y), std::abs(along[point].second - mean_second), 3);
  }
}

TEST(PrincipalPlane, IsTheSameForAnyNumberOfThreads) {
  SeededRandomSource random(2);
  Points points{.dimensions = 7};
  for (int value = 0; value < 7 * 20'000; ++value) points.coordinates.push_back(static_cast<float>(random.NextUnit()));
  Parallel one(1);
  Parallel three(3);
  EXPECT_EQ(ProjectOnPrincipalPlane(points, one), ProjectOnPrincipalPlane(points, three));
}

TEST(PrincipalPlane, PutsEqualPointsOnOnePlace) {
  Parallel parallel(1);
  const Points points{.dimensions = 2, .coordinates = std::vector<float>(20, 3)};
  for (const PlanePoint& point : ProjectOnPrincipalPlane(points, parallel)) EXPECT_EQ(point, PlanePoint());
}

}  // namespace
}  // namespace flaim
