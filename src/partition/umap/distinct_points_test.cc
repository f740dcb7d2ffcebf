#include "partition/umap/distinct_points.h"

#include <map>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(DistinctPoints, GroupExactlyThePointsThatAreEqual) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    SeededRandomSource random(seed);
    Points points{.dimensions = 1 + random.NextBelow(4)};
    points.coordinates.resize(points.dimensions * random.NextBelow(60));
    for (float& value : points.coordinates) value = static_cast<float>(random.NextBelow(3));
    std::map<std::vector<float>, std::vector<std::uint32_t>> expected;
    for (std::uint32_t point = 0; point < points.size(); ++point) {
      expected[{points.at(point).begin(), points.at(point).end()}].push_back(point);
    }
    const DistinctPoints distinct(points);
    ASSERT_EQ(distinct.groups(), expected.size());
    std::uint32_t last_first = 0;
    for (std::size_t group = 0; group < distinct.groups(); ++group) {
      const auto members = distinct.members(group);
      ASSERT_FALSE(members.empty());
      EXPECT_TRUE(group == 0 || members.front() > last_first);
      last_first = members.front();
      const std::span<const float> point = points.at(members.front());
      EXPECT_THAT(members, testing::ElementsAreArray(expected.at({point.begin(), point.end()})));
      for (const std::uint32_t member : members) EXPECT_EQ(distinct.group_of(member), group);
    }
  }
}

}  // namespace
}  // namespace flaim
