#include "partition/umap/umap.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "partition/umap/trustworthiness.h"
#include "partition/umap/umap_testing.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

PlanePoints Embed(const Points& points, std::uint64_t seed, int threads) {
  Parallel parallel(threads);
  NoProgress progress;
  return EmbedInPlane(points, {.seed = seed}, parallel, progress).value();
}

double Trust(const Points& points, const PlanePoints& places) {
  Parallel parallel(2);
  return Trustworthiness(points, places, {.sample = 500}, parallel).value();
}

TEST(Umap, KeepsNeighboursTogether) {
  const Points points = CodedClusters(1000, 6, 8, 1);
  EXPECT_GT(Trust(points, Embed(points, 1, 2)), 0.95);
}

TEST(Umap, IsTheSameForASeedAndAnyNumberOfThreads) {
  const Points points = CodedClusters(700, 5, 4, 2);
  const PlanePoints places = Embed(points, 3, 1);
  EXPECT_EQ(Embed(points, 3, 2), places);
  EXPECT_EQ(Embed(points, 3, 5), places);
  EXPECT_NE(Embed(points, 4, 1), places);
}

TEST(Umap, TakesTablesOfOneRowOrOfEqualRows) {
  for (const std::size_t size : {1U, 2U, 3U, 15U, 16U, 200U}) {
    const PlanePoints places = Embed({.dimensions = 3, .coordinates = std::vector<float>(3 * size, 5)}, 1, 2);
    ASSERT_EQ(places.size(), size);
    for (const PlanePoint& place : places) EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
  }
}

TEST(Umap, RefusesWhatCannotBeEmbedded) {
  Parallel parallel(1);
  NoProgress progress;
  EXPECT_THAT(std::string(EmbedInPlane(Points(), {}, parallel, progress).status().message()), HasSubstr("no rows"));
  const Points points = CodedClusters(20, 2, 1, 1);
  EXPECT_THAT(std::string(EmbedInPlane(points, {.neighbours = 1}, parallel, progress).status().message()),
              HasSubstr("at least 2 neighbours"));
}

TEST(Umap, EndsIfItsTeamIsToStop) {
  Parallel stopped(2, [] { return true; });
  NoProgress progress;
  const Points points = CodedClusters(300, 2, 5, 7);
  EXPECT_TRUE(absl::IsCancelled(EmbedInPlane(points, {}, stopped, progress).status()));
  EXPECT_TRUE(absl::IsCancelled(Trustworthiness(points, PlanePoints(points.size()), {}, stopped).status()));
}

TEST(Trustworthiness, IsOneForPointsThatAreWhereTheyWere) {
  const Points points = CodedClusters(300, 2, 5, 7);
  PlanePoints places;
  for (std::size_t point = 0; point < points.size(); ++point)
    places.push_back({points.at(point)[0], points.at(point)[1]});
  EXPECT_EQ(Trust(points, places), 1);
}

// Of random places, the mean rank is N / 2, so that the sum comes to about half of the worst.
TEST(Trustworthiness, IsAHalfForPlacesThatMeanNothing) {
  const Points points = CodedClusters(2000, 4, 1, 8);
  const Points elsewhere = CodedClusters(2000, 2, 1500, 9);
  PlanePoints places;
  for (std::size_t point = 0; point < points.size(); ++point) {
    places.push_back({elsewhere.at(point)[0], elsewhere.at(point)[1]});
  }
  EXPECT_NEAR(Trust(points, places), 0.5, 0.05);
}

// 0 and 15 change places. Nearest in the plane are then, by their true places: 7 to 0, 15 to 1, 1 to 3, 3 to 7 and 1 to
// 15, whose true ranks are 3, 4, 1, 1 and 3: together 7 beyond the first.
TEST(Trustworthiness, CountsRanksAsByHand) {
  const Points line{.dimensions = 1, .coordinates = {0, 1, 3, 7, 15}};
  const PlanePoints places = {{15, 0}, {1, 0}, {3, 0}, {7, 0}, {0, 0}};
  Parallel parallel(1);
  EXPECT_DOUBLE_EQ(Trustworthiness(line, places, {.neighbours = 1, .sample = 10}, parallel).value(),
                   1 - 2.0 / (5 * 1 * (2 * 5 - 3 - 1)) * 7);
}

TEST(Trustworthiness, RefusesTooFewPoints) {
  Parallel parallel(1);
  const Points points = CodedClusters(30, 2, 1, 1);
  EXPECT_FALSE(Trustworthiness(points, PlanePoints(30), {}, parallel).ok());
  EXPECT_FALSE(Trustworthiness(points, PlanePoints(29), {.neighbours = 2}, parallel).ok());
}

}  // namespace
}  // namespace flaim
