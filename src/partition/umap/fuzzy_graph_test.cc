#include "partition/umap/fuzzy_graph.h"

#include <cmath>
#include <map>

#include "gtest/gtest.h"
#include "partition/umap/umap_testing.h"

namespace flaim {
namespace {

double SumOfTies(const std::vector<float>& distances, const LocalScale& local) {
  double sum = 0;
  for (const float distance : distances) sum += StrengthOfTie(local, distance);
  return sum;
}

TEST(LocalScale, MakesTiesSumUpToTheLogarithmOfTheNeighbours) {
  const std::vector<std::vector<float>> lists = {
      {1, 2, 3, 4, 5, 6, 7}, {0, 0, 1, 2, 3, 3, 3}, {100, 101, 150, 151, 152, 153, 1000}};
  for (const std::vector<float>& distances : lists) {
    EXPECT_NEAR(SumOfTies(distances, FindLocalScale(distances, 1)), 3, 1e-4);
  }
}

TEST(LocalScale, StartsAtTheNearestPointThatIsNotARepeat) {
  EXPECT_EQ(FindLocalScale(std::vector<float>{0, 0, 2, 5}, 1).nearest, 2);
  EXPECT_EQ(FindLocalScale(std::vector<float>{0, 0, 0}, 1).nearest, 0);
}

TEST(LocalScale, DoesNotVanishWhereNoScaleIsRight) {
  EXPECT_DOUBLE_EQ(FindLocalScale(std::vector<float>{0, 0, 0, 0, 0, 0, 0}, 3).scale, 3e-3);
  const LocalScale local = FindLocalScale(std::vector<float>{4, 4, 4, 4, 4, 4, 4}, 1000);
  EXPECT_NEAR(local.scale, 1e-3 * 28 / 8, 1e-12);
  EXPECT_EQ(StrengthOfTie(local, 4), 1);
}

TEST(StrengthOfTie, FadesBeyondTheNearest) {
  const LocalScale local{.nearest = 2, .scale = 3};
  EXPECT_EQ(StrengthOfTie(local, 0), 1);
  EXPECT_EQ(StrengthOfTie(local, 2), 1);
  EXPECT_DOUBLE_EQ(StrengthOfTie(local, 5), std::exp(-1));
}

TEST(FuzzyGraph, IsTheUnionOfWhatEitherEndSees) {
  Parallel parallel(2);
  const Points points = CodedClusters(300, 3, 5, 4);
  const Neighbours neighbours = FindNeighboursNaively(points, 6);
  double mean = 0;
  for (const float distance : neighbours.distances) mean += distance / static_cast<double>(neighbours.distances.size());
  std::map<std::pair<std::size_t, std::size_t>, double> seen;
  for (std::size_t point = 0; point < points.size(); ++point) {
    const LocalScale local = FindLocalScale(neighbours.distances_of(point), mean);
    for (std::size_t place = 0; place < 6; ++place) {
      seen[{point, neighbours.of(point)[place]}] = StrengthOfTie(local, neighbours.distances_of(point)[place]);
    }
  }
  std::map<std::pair<std::size_t, std::size_t>, double> expected;
  for (const auto& [ends, strength] : seen) {
    const auto back = seen.find({ends.second, ends.first});
    const double other = back == seen.end() ? 0 : back->second;
    expected[ends] = expected[{ends.second, ends.first}] = strength + other - strength * other;
  }
  // Ties too weak for a float are none.
  std::erase_if(expected, [](const auto& tie) { return static_cast<float>(tie.second) == 0; });
  const FuzzyGraph graph = TieNeighbours(neighbours, parallel);
  ASSERT_EQ(graph.size(), points.size());
  ASSERT_EQ(graph.points.size(), expected.size());
  auto tie = expected.begin();
  for (std::size_t point = 0; point < graph.size(); ++point) {
    for (std::size_t place = graph.starts[point]; place < graph.starts[point + 1]; ++place, ++tie) {
      EXPECT_EQ(tie->first, std::pair(point, std::size_t{graph.points[place]}));
      EXPECT_NEAR(tie->second, graph.strengths[place], 1e-5);
    }
  }
}

TEST(FuzzyGraph, OfPointsWithoutNeighboursIsEmpty) {
  Parallel parallel(1);
  EXPECT_EQ(TieNeighbours(Neighbours{}, parallel).size(), 0U);
}

}  // namespace
}  // namespace flaim
