#include "data/types/bin_edges.h"

#include <cmath>
#include <limits>
#include <set>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// The bin of a value by looking at all of them.
template <typename Number>
std::uint32_t FindSlowly(const std::vector<Number>& edges, Number value) {
  for (std::uint32_t bin = 0; bin + 1 < edges.size(); ++bin) {
    if (edges[bin] <= value && value < edges[bin + 1]) return bin;
  }
  return static_cast<std::uint32_t>(edges.size() - 2);
}

TEST(BinEdges, AgreesWithASearchThroughAllBins) {
  SeededRandomSource random(1);
  for (int round = 0; round < 300; ++round) {
    std::set<double> chosen;
    const double skew = random.NextBelow(2) == 0 ? 1 : 8;
    while (chosen.size() < 2 + random.NextBelow(40)) chosen.insert(std::pow(random.NextUnit(), skew) * 1000 - 500);
    if (chosen.size() < 2) continue;
    const std::vector<double> edges(chosen.begin(), chosen.end());
    const BinEdges<double> bins(edges);
    for (int i = 0; i < 100; ++i) {
      const double value = std::lerp(edges.front(), edges.back(), random.NextUnit());
      ASSERT_EQ(bins.Find(value), FindSlowly(edges, value));
    }
    for (const double edge : edges) ASSERT_EQ(bins.Find(edge), FindSlowly(edges, edge));
  }
}

TEST(BinEdges, IsExactWhereDoublesCannotTellIntegersApart) {
  const std::int64_t huge = std::int64_t{1} << 60;
  const std::vector<std::int64_t> edges = {huge, huge + 1, huge + 2, huge + 3};
  const BinEdges<std::int64_t> bins(edges);
  for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(bins.Find(huge + i), static_cast<std::uint32_t>(i));
}

TEST(BinEdges, SurvivesARangeWiderThanTheLargestDouble) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const std::vector<double> edges = {-kLargest, 0, kLargest};
  const BinEdges<double> bins(edges);
  EXPECT_EQ(bins.Find(-kLargest), 0U);
  EXPECT_EQ(bins.Find(-1), 0U);
  EXPECT_EQ(bins.Find(0), 1U);
  EXPECT_EQ(bins.Find(kLargest), 1U);
}

TEST(BinEdges, SurvivesARangeOfTheSmallestDoubles) {
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  const BinEdges<double> bins({0, kTiny, 2 * kTiny});
  EXPECT_EQ(bins.Find(0), 0U);
  EXPECT_EQ(bins.Find(kTiny), 1U);
  EXPECT_EQ(bins.Find(2 * kTiny), 1U);
}

TEST(BinEdgesDeathTest, RefusesEdgesThatDoNotIncrease) {
  EXPECT_DEATH(BinEdges<double>({1, 1}), "edges do not increase");
}

}  // namespace
}  // namespace flaim
