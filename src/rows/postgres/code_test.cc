#include "rows/postgres/code.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using Rank = PostgresCode::Rank;

const PostgresColumn kAge = {"\"age\"", "\"age\"", "concat(\"age\")", "\"age\"", "numeric"};

TEST(PostgresCode, FindsTheRunOfAValueAmongTheFirstOfAllRuns) {
  PostgresCode code;
  code.Add("1", 0, Rank::kAbove);
  code.Add("1.00", 0, Rank::kEqual);
  code.Add("2", 0, Rank::kAbove);
  code.Add("3", 1, Rank::kAbove);
  code.Add("9", 0, Rank::kAbove);
  code.Add("", 7, Rank::kNull);
  EXPECT_EQ(code.Sql(kAge), R"(COALESCE(pg_catalog.width_bucket("age", CAST('{"1","3","9"}' AS numeric[])), -1))");
  EXPECT_EQ(code.Read("1").code, 0U);
  EXPECT_EQ(code.Read("2").code, 1U);
  EXPECT_EQ(code.Read("3").code, 0U);
  EXPECT_EQ(code.Read("-1").code, 7U);
  for (const char* odd : {"0", "4", "-2", "", "=1"}) {
    EXPECT_FALSE(code.Read(odd).code.has_value() || code.Read(odd).text.has_value()) << odd;
  }
}

TEST(PostgresCode, TakesTheTextsWhereEqualValuesHaveDifferentCodesOrThereAreTooManyRuns) {
  PostgresCode unequal;
  unequal.Add("1", 0, Rank::kAbove);
  unequal.Add("1.0", 1, Rank::kEqual);
  unequal.Add("2", 1, Rank::kAbove);
  PostgresCode many;
  for (std::size_t i = 0; i <= PostgresCode::kMaxRuns; ++i) many.Add("x", i % 2, Rank::kAbove);
  for (const PostgresCode& code : {unequal, many}) {
    EXPECT_EQ(code.Sql(kAge), R"(pg_catalog.concat('=', "age") COLLATE "C")");
    EXPECT_EQ(code.Read("=1.0").text, "1.0");
    EXPECT_EQ(code.Read("=").text, "") << "NULL";
    EXPECT_FALSE(code.Read("1").text.has_value());
  }
}

TEST(PostgresCode, QuotesWhateverATextHolds) {
  PostgresCode code;
  code.Add("a\"b\\c'd,{}", 0, Rank::kAbove);
  EXPECT_THAT(code.Sql(kAge), HasSubstr(R"(E'{"a\\"b\\\\c''d,{}"}')"));
}

TEST(PostgresCode, OfAColumnWithoutValuesIsThatOfNull) {
  PostgresCode code;
  EXPECT_EQ(code.Sql(kAge), "CAST(-1 AS pg_catalog.int4)");
  code.Add("", 3, Rank::kNull);
  EXPECT_EQ(code.Read("-1").code, 3U);
}

}  // namespace
}  // namespace flaim
