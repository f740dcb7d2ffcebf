#include "data/table/domain.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(std::vector<Attribute> attributes) {
  const absl::Status status = Domain::Create(std::move(attributes)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(Domain, KeepsItsAttributesInOrder) {
  const auto domain = Domain::Create({{"age", 100}, {"sex", 2}, {"income", 2}});
  ASSERT_TRUE(domain.ok());
  EXPECT_EQ(domain->size(), 3);
  EXPECT_EQ((*domain)[0], (Attribute{"age", 100}));
  EXPECT_EQ((*domain)[2], (Attribute{"income", 2}));
  EXPECT_EQ(domain->attributes().size(), 3u);
}

TEST(Domain, FindsAnAttributeByItsWholeName) {
  const auto domain = Domain::Create({{"age", 100}, {"sex", 2}});
  EXPECT_EQ(domain->Find("age"), 0);
  EXPECT_EQ(domain->Find("sex"), 1);
  for (const std::string_view name : {"", "ag", "agex", "Age"}) EXPECT_EQ(domain->Find(name), std::nullopt) << name;
}

TEST(Domain, RefusesNoAttributes) { EXPECT_THAT(ErrorOf({}), HasSubstr("at least one")); }

TEST(Domain, RefusesAnEmptyName) { EXPECT_THAT(ErrorOf({{"a", 1}, {"", 1}}), HasSubstr("empty name")); }

TEST(Domain, RefusesANameTwice) { EXPECT_THAT(ErrorOf({{"a", 1}, {"b", 1}, {"a", 2}}), HasSubstr("'a'")); }

TEST(Domain, RefusesASizeOutsideItsLimits) {
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, Domain::kMaxAttributeSize + 1}) {
    EXPECT_THAT(ErrorOf({{"a", size}}), HasSubstr(std::to_string(size)));
  }
  EXPECT_TRUE(Domain::Create({{"a", 1}, {"b", Domain::kMaxAttributeSize}}).ok());
}

TEST(Domain, IsEqualWhenNamesSizesAndOrderAre) {
  const Domain domain = *Domain::Create({{"a", 2}, {"b", 3}});
  EXPECT_EQ(domain, *Domain::Create({{"a", 2}, {"b", 3}}));
  EXPECT_NE(domain, *Domain::Create({{"b", 3}, {"a", 2}}));
  EXPECT_NE(domain, *Domain::Create({{"a", 2}, {"b", 4}}));
  EXPECT_NE(domain, *Domain::Create({{"a", 2}}));
}

}  // namespace
}  // namespace flaim
