#include "marginal/clique.h"

#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "fmt/format.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using AttributeSet = std::set<AttributeIndex>;

Domain MakeDomain(const std::vector<std::int64_t>& sizes) {
  std::vector<Attribute> attributes;
  for (std::size_t i = 0; i < sizes.size(); ++i) attributes.push_back({fmt::format("column{}", i), sizes[i]});
  return Domain::Create(attributes).value();
}

AttributeSet RandomSet() {
  const auto members = *rc::gen::container<std::vector<AttributeIndex>>(rc::gen::inRange(0, 8));
  return {members.begin(), members.end()};
}
Clique FromSet(const AttributeSet& set) { return Clique(std::vector<AttributeIndex>(set.begin(), set.end())); }
AttributeSet ToSet(const Clique& clique) { return {clique.begin(), clique.end()}; }

TEST(Clique, SortsAndDropsRepeats) {
  EXPECT_EQ(Clique({3, 1, 3, 2}).attributes(), (std::vector<AttributeIndex>{1, 2, 3}));
  EXPECT_EQ(Clique({2, 1}), Clique({1, 2, 2}));
  EXPECT_EQ(Clique().size(), 0);
}

TEST(Clique, BehavesAsASetOfAttributes) {
  EXPECT_TRUE(rc::check([] {
    const AttributeSet left = RandomSet();
    const AttributeSet right = RandomSet();
    AttributeSet both;
    AttributeSet either = left;
    for (const AttributeIndex attribute : right) {
      if (left.contains(attribute)) both.insert(attribute);
      either.insert(attribute);
    }
    RC_ASSERT(ToSet(FromSet(left).Intersect(FromSet(right))) == both);
    RC_ASSERT(ToSet(FromSet(left).Union(FromSet(right))) == either);
    RC_ASSERT(FromSet(left).IsSubsetOf(FromSet(right)) == (both == left));
    for (AttributeIndex attribute = 0; attribute < 8; ++attribute) {
      RC_ASSERT(FromSet(left).Contains(attribute) == left.contains(attribute));
    }
  }));
}

TEST(Clique, IsOrderedLexicographically) {
  EXPECT_LT(Clique(), Clique({0}));
  EXPECT_LT(Clique({0, 5}), Clique({1}));
  EXPECT_LT(Clique({1}), Clique({1, 2}));
}

TEST(CellCount, MultipliesTheSizes) {
  const Domain domain = MakeDomain({3, 5, 7});
  EXPECT_EQ(CellCount(domain, Clique({0, 2})).value(), 21);
  EXPECT_EQ(CellCount(domain, Clique()).value(), 1);
}

TEST(CellCount, RefusesMoreThanTwoToTheSixtyTwo) {
  const std::int64_t large = std::int64_t{1} << 31;
  const Domain domain = MakeDomain({large, large, 2});
  EXPECT_EQ(CellCount(domain, Clique({0, 1})).value(), std::int64_t{1} << 62);
  const auto refused = CellCount(domain, Clique({0, 1, 2}));
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(refused.status().ToString().find("column0,column1,column2"), std::string::npos);
}

TEST(CliqueName, ListsColumnsInDomainOrder) {
  EXPECT_EQ(CliqueName(MakeDomain({2, 2, 2}), Clique({2, 0})), "column0,column2");
}

TEST(CliqueDeathTest, RefusesANegativeAttribute) { EXPECT_DEATH(Clique({-1, 2}), "CHECK"); }

}  // namespace
}  // namespace flaim
