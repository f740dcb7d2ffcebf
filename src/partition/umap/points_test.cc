#include "partition/umap/points.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;

TEST(Points, HoldTheCodesOfEachRow) {
  TableBuilder builder(Domain::Create({{"small", 3}, {"middle", 300}, {"large", 70'000}}).value());
  builder.AddRow(std::vector<std::uint32_t>{2, 299, 69'999});
  builder.AddRow(std::vector<std::uint32_t>{0, 1, 2});
  const Points points = CodesAsPoints(std::move(builder).Build());
  EXPECT_EQ(points.size(), 2U);
  EXPECT_THAT(points.at(0), ElementsAre(2, 299, 69'999));
  EXPECT_THAT(points.at(1), ElementsAre(0, 1, 2));
}

TEST(Points, OfNoRowsAreNone) {
  EXPECT_EQ(CodesAsPoints(TableBuilder(Domain::Create({{"a", 2}}).value()).Build()).size(), 0U);
  EXPECT_EQ(Points().size(), 0U);
}

TEST(Points, HaveEuclideanDistances) {
  EXPECT_EQ(SquaredDistance(std::vector<float>{1, 2, 3}, std::vector<float>{4, 6, 3}), 25);
}

}  // namespace
}  // namespace flaim
