#include "marginal/given_counts.h"

#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Shape = std::vector<std::size_t>;
using Counts = std::vector<std::int64_t>;

// Each of the two columns has a code for NULL, the last.
Domain TwoColumns() { return Domain::Create({{"ward", 3}, {"sex", 2}}).value(); }

const Clique kBoth({0, 1});

TEST(GivenCounts, HaveTheShapeOfTheMarginalOrAllItsCellsInARow) {
  const GivenCounts given(TwoColumns());
  EXPECT_TRUE(given.CheckShape(kBoth, Shape{3, 2}).ok());
  EXPECT_TRUE(given.CheckShape(kBoth, Shape{6}).ok());
  EXPECT_TRUE(given.CheckShape(Clique({0}), Shape{3}).ok());
  EXPECT_TRUE(given.CheckShape(Clique(), Shape{1}).ok());
  EXPECT_TRUE(given.CheckShape(Clique(), Shape{}).ok());
  // As many cells in another order, or an axis without its NULL, or one too many or too few.
  for (const Shape& shape : {Shape{2, 3}, Shape{2, 2}, Shape{3, 1}, Shape{5}, Shape{3, 2, 1}, Shape{1, 6}, Shape{3}}) {
    EXPECT_THAT(std::string(given.CheckShape(kBoth, shape).message()), HasSubstr("another shape"));
  }
}

// What an engine does that leaves out rows with NULL in a column that it groups by.
TEST(GivenCounts, OfAnEngineThatDropsRowsWithNullAreRefusedWhereverItBegins) {
  const Counts wards = {5, 4, 3};
  const Counts wards_without_null = {5, 4, 0};
  const Counts sexes = {7, 5};
  GivenCounts sound(TwoColumns());
  EXPECT_TRUE(sound.CheckCounts(Clique({0}), wards).ok());
  EXPECT_TRUE(sound.CheckCounts(Clique({1}), sexes).ok());
  EXPECT_TRUE(sound.CheckCounts(kBoth, Counts{3, 2, 2, 2, 2, 1}).ok());
  const auto lacks_rows = AllOf(HasSubstr("'ward'"), HasSubstr("do not leave out groups"), Not(HasSubstr("9")));
  EXPECT_THAT(std::string(sound.CheckCounts(Clique({0}), wards_without_null).message()), lacks_rows);
  GivenCounts dropping(TwoColumns());
  EXPECT_TRUE(dropping.CheckCounts(Clique({0}), wards_without_null).ok()) << "alone, it could be the table";
  EXPECT_FALSE(dropping.CheckCounts(Clique({1}), sexes).ok());
}

TEST(GivenCounts, AreNotNegativeAndDoNotOverflow) {
  GivenCounts given(TwoColumns());
  EXPECT_THAT(std::string(given.CheckCounts(Clique({1}), Counts{13, -1}).message()), HasSubstr("negative number"));
  EXPECT_THAT(
      std::string(given.CheckCounts(Clique({1}), Counts{1, std::numeric_limits<std::int64_t>::max()}).message()),
      HasSubstr("more than 2^63"));
  EXPECT_TRUE(given.CheckCounts(Clique({1}), Counts{7, 5}).ok()) << "what was refused is forgotten";
}

TEST(GivenCounts, AreTakenOnlyIfBothTheirShapeAndTheirNumberOfRecordsFit) {
  GivenCounts given(TwoColumns());
  Counts cells(6);
  EXPECT_TRUE(given.Take(kBoth, Shape{3, 2}, Counts{3, 2, 2, 2, 2, 1}, cells).ok());
  EXPECT_EQ(cells, (Counts{3, 2, 2, 2, 2, 1}));
  EXPECT_FALSE(given.Take(kBoth, Shape{2, 3}, Counts{3, 2, 2, 2, 2, 1}, cells).ok());
  EXPECT_FALSE(given.Take(kBoth, Shape{3, 2}, Counts{3, 2, 2, 2, 0, 0}, cells).ok());
}

}  // namespace
}  // namespace flaim
