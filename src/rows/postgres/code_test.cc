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
  code.Add({"1", 0, true}, Rank::kAbove);
  code.Add({"1.00", 0, true}, Rank::kEqual);
  code.Add({"2", 0, true}, Rank::kAbove);
  code.Add({"3", 1, true}, Rank::kAbove);
  code.Add({"9", 0, true}, Rank::kAbove);
  code.Add({"", 7, true}, Rank::kNull);
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
  unequal.Add({"1", 0, true}, Rank::kAbove);
  unequal.Add({"1.0", 1, true}, Rank::kEqual);
  unequal.Add({"2", 1, true}, Rank::kAbove);
  PostgresCode many;
  for (std::size_t i = 0; i <= PostgresCode::kMaxRuns; ++i)
    many.Add({"x", static_cast<std::uint32_t>(i % 2), true}, Rank::kAbove);
  for (const PostgresCode& code : {unequal, many}) {
    EXPECT_EQ(code.Sql(kAge), R"(pg_catalog.concat('=', "age") COLLATE "C")");
    EXPECT_EQ(code.Read("=1.0").text, "1.0");
    EXPECT_EQ(code.Read("=").text, "") << "NULL";
    EXPECT_FALSE(code.Read("1").text.has_value());
  }
}

TEST(PostgresCode, KnowsTheValuesThatDoNotFitByTheirRunOrByTheirText) {
  PostgresCode code;
  code.Add({"1", 0, true}, Rank::kAbove);
  EXPECT_EQ(code.FitsSql(kAge), std::nullopt);
  code.Add({"2", 0, false}, Rank::kAbove);
  code.Add({"3", 0, false}, Rank::kAbove);
  code.Add({"4", 0, true}, Rank::kAbove);
  EXPECT_EQ(code.FitsSql(kAge), code.Sql(kAge) + " NOT IN (2)");
  code.Add({"", 0, false}, Rank::kNull);
  EXPECT_EQ(code.FitsSql(kAge), code.Sql(kAge) + " NOT IN (-1, 2)");
  code.Add({"4.0", 0, false}, Rank::kEqual);
  EXPECT_EQ(code.FitsSql(kAge), R"(pg_catalog.concat("age") COLLATE "C" NOT IN ('2', '3', '', '4.0'))");
}

TEST(PostgresCode, QuotesWhateverATextHolds) {
  PostgresCode code;
  code.Add({"a\"b\\c'd,{}", 0, true}, Rank::kAbove);
  EXPECT_THAT(code.Sql(kAge), HasSubstr(R"(E'{"a\\"b\\\\c''d,{}"}')"));
}

TEST(PostgresCode, OfAColumnWithoutValuesIsThatOfNull) {
  PostgresCode code;
  EXPECT_EQ(code.Sql(kAge), "CAST(-1 AS pg_catalog.int4)");
  code.Add({"", 3, true}, Rank::kNull);
  EXPECT_EQ(code.Read("-1").code, 3U);
}

}  // namespace
}  // namespace flaim
