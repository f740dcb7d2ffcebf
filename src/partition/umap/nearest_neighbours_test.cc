#include "partition/umap/nearest_neighbours.h"

#include <algorithm>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "partition/umap/neighbour_refinement.h"
#include "partition/umap/umap_testing.h"

namespace flaim {
namespace {

// The share of neighbours that are no farther than the farthest true one. Ties make several answers right.
double Recall(const Neighbours& found, const Neighbours& truth) {
  std::size_t right = 0;
  for (std::size_t place = 0; place < found.distances.size(); ++place) {
    const float farthest = truth.distances_of(place / found.count).back();
    right += found.distances[place] <= farthest * 1.00001F ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(found.distances.size());
}

void ExpectWellFormed(const Points& points, const Neighbours& neighbours) {
  for (std::size_t point = 0; point < points.size(); ++point) {
    const auto others = neighbours.of(point);
    EXPECT_EQ(std::set(others.begin(), others.end()).size(), neighbours.count);
    EXPECT_EQ(std::count(others.begin(), others.end(), point), 0);
    EXPECT_TRUE(std::is_sorted(neighbours.distances_of(point).begin(), neighbours.distances_of(point).end()));
    for (std::size_t place = 0; place < neighbours.count; ++place) {
      EXPECT_NEAR(neighbours.distances_of(point)[place],
                  std::sqrt(SquaredDistance(points.at(point), points.at(others[place]))), 1e-3);
    }
  }
}

TEST(NearestNeighbours, AreNearlyAllTheTrueOnes) {
  Parallel parallel(2);
  for (const std::size_t dimensions : {2U, 14U, 41U}) {
    const Points points = CodedClusters(2000, dimensions, 20, dimensions);
    const Neighbours found = FindNeighbours(points, 14, 1, parallel).value();
    ExpectWellFormed(points, found);
    EXPECT_GE(Recall(found, FindNeighboursNaively(points, 14)), 0.99) << dimensions;
  }
}

TEST(NearestNeighbours, AreTheSameForAnyNumberOfThreads) {
  const Points points = CodedClusters(3000, 8, 10, 3);
  Parallel one(1);
  Parallel three(3);
  const Neighbours found = FindNeighbours(points, 14, 5, one).value();
  EXPECT_EQ(FindNeighbours(points, 14, 5, three).value(), found);
}

TEST(NearestNeighbours, OfRepeatedPointsAreTheRepeatsFirst) {
  Parallel parallel(2);
  Points points{.dimensions = 1};
  for (int point = 0; point < 300; ++point) points.coordinates.push_back(static_cast<float>(point / 5));
  const Neighbours found = FindNeighbours(points, 14, 1, parallel).value();
  ExpectWellFormed(points, found);
  EXPECT_EQ(found.distances, FindNeighboursNaively(points, 14).distances);
}

// A random choice of 14 out of 999 for each ties the group together: nobody is out of reach.
TEST(NearestNeighbours, OfALargeGroupOfEqualsTieItTogether) {
  Parallel parallel(2);
  const Points points{.dimensions = 2, .coordinates = std::vector<float>(2000, 7)};
  const Neighbours found = FindNeighbours(points, 14, 1, parallel).value();
  ExpectWellFormed(points, found);
  std::set<std::size_t> reached = {0};
  std::vector<std::size_t> open = {0};
  while (!open.empty()) {
    const std::size_t point = open.back();
    open.pop_back();
    for (const std::uint32_t other : found.of(point)) {
      if (reached.insert(other).second) open.push_back(other);
    }
  }
  EXPECT_GE(reached.size(), 990U);
}

TEST(NearestNeighbours, AreAllOthersWhereThereAreFew) {
  Parallel parallel(1);
  for (std::size_t size = 0; size <= 20; ++size) {
    Points points{.dimensions = 1};
    for (std::size_t point = 0; point < size; ++point) points.coordinates.push_back(static_cast<float>(point * point));
    const Neighbours found = FindNeighbours(points, 14, 1, parallel).value();
    EXPECT_EQ(found.count, size == 0 ? 0 : std::min<std::size_t>(14, size - 1));
    ExpectWellFormed(points, found);
    EXPECT_EQ(found.distances, FindNeighboursNaively(points, 14).distances);
  }
}

TEST(NeighbourRefinement, NeverMakesANeighbourWorseAndFindsAnOverlookedOne) {
  Parallel parallel(2);
  const Points points = CodedClusters(400, 3, 4, 9);
  const Neighbours truth = FindNeighboursNaively(points, 10);
  Neighbours worse = FindNeighboursNaively(points, 14);
  Neighbours cut{.count = 10};
  for (std::size_t point = 0; point < points.size(); ++point) {
    for (std::size_t place = 4; place < 14; ++place) {
      cut.points.push_back(worse.of(point)[place]);
      cut.distances.push_back(worse.distances_of(point)[place]);
    }
  }
  const Neighbours refined = RefineNeighbours(points, cut, parallel);
  ExpectWellFormed(points, refined);
  for (std::size_t place = 0; place < refined.distances.size(); ++place) {
    EXPECT_LE(refined.distances[place], cut.distances[place]);
  }
  EXPECT_GT(Recall(refined, truth), Recall(cut, truth) + 0.1);
  EXPECT_EQ(RefineNeighbours(points, truth, parallel).distances, truth.distances);
}

}  // namespace
}  // namespace flaim
