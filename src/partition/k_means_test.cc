#include "partition/k_means.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

PlanePoints RandomPoints(std::size_t count, std::uint64_t seed) {
  SeededRandomSource random(seed);
  PlanePoints points(count);
  for (PlanePoint& point : points) {
    point = {static_cast<float>(random.NextUnit() * 10), static_cast<float>(random.NextUnit() * 10)};
  }
  return points;
}

double Squared(const PlanePoint& one, const PlanePoint& other) {
  return std::pow(double{one.x} - double{other.x}, 2) + std::pow(double{one.y} - double{other.y}, 2);
}

std::vector<std::size_t> SizesOf(const Clustering& clustering) {
  std::vector<std::size_t> sizes(clustering.centres.size());
  for (const std::uint32_t cluster : clustering.cluster_of) ++sizes.at(cluster);
  return sizes;
}

TEST(KMeans, GivesEveryPointItsNearestCentre) {
  Parallel parallel(2);
  for (const std::size_t clusters : {1U, 2U, 7U, 60U}) {
    const PlanePoints points = RandomPoints(3000, clusters);
    const Clustering found = FindClusters(points, {.clusters = clusters, .restarts = 2}, parallel);
    double inertia = 0;
    for (std::size_t point = 0; point < points.size(); ++point) {
      const double own = Squared(points[point], found.centres[found.cluster_of[point]]);
      inertia += own;
      for (const PlanePoint& centre : found.centres) EXPECT_GE(Squared(points[point], centre), own - 1e-5);
    }
    EXPECT_NEAR(found.inertia, inertia, 1e-4 * inertia);
  }
}

TEST(KMeans, FindsClustersThatAreApart) {
  SeededRandomSource random(5);
  PlanePoints points;
  for (std::size_t point = 0; point < 900; ++point) {
    const auto centre = static_cast<float>(point % 9);
    points.push_back({std::fmod(centre, 3.0F) * 10 + static_cast<float>(random.NextUnit()),
                      std::floor(centre / 3) * 10 + static_cast<float>(random.NextUnit())});
  }
  Parallel parallel(2);
  const Clustering found = FindClusters(points, {.clusters = 9, .seed = 1}, parallel);
  EXPECT_THAT(SizesOf(found), testing::Each(100U));
  for (std::size_t point = 9; point < points.size(); ++point) {
    EXPECT_EQ(found.cluster_of[point], found.cluster_of[point % 9]);
  }
}

TEST(KMeans, IsTheSameForASeedAndAnyNumberOfThreads) {
  const PlanePoints points = RandomPoints(5000, 3);
  Parallel one(1);
  Parallel three(3);
  const Clustering found = FindClusters(points, {.clusters = 20, .seed = 2}, one);
  EXPECT_EQ(FindClusters(points, {.clusters = 20, .seed = 2}, three), found);
  EXPECT_NE(FindClusters(points, {.clusters = 20, .seed = 3}, one), found);
}

TEST(KMeans, LeavesNoClusterEmptyEvenWherePointsRepeat) {
  Parallel parallel(2);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    SeededRandomSource random(seed);
    PlanePoints points(1 + random.NextBelow(40));
    for (PlanePoint& point : points) point.x = static_cast<float>(random.NextBelow(3));
    const std::size_t clusters = 1 + random.NextBelow(points.size());
    EXPECT_THAT(SizesOf(FindClusters(points, {.clusters = clusters, .seed = seed}, parallel)),
                testing::Each(testing::Ge(1U)));
  }
}

TEST(KMeans, DoesNotGetWorseByMoreRestarts) {
  Parallel parallel(2);
  const PlanePoints points = RandomPoints(2000, 9);
  const double once = FindClusters(points, {.clusters = 30, .restarts = 1}, parallel).inertia;
  EXPECT_LE(FindClusters(points, {.clusters = 30, .restarts = 8}, parallel).inertia, once);
}

TEST(KMeansDeathTest, NeedsAPointForEachCluster) {
  Parallel parallel(1);
  EXPECT_DEATH(FindClusters(PlanePoints(3), {.clusters = 4}, parallel), "4 clusters of 3 points");
}

}  // namespace
}  // namespace flaim
