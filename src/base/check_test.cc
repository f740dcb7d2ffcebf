#include "base/check.h"

#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(CheckDeathTest, StopsTheProgramAndSaysWhereAndWhy) {
  const int rows = 3;
  EXPECT_DEATH(CHECK(rows == 4, "expected 4 rows, not {}", rows),
               "check_test\\.cc:[0-9]+: bug: CHECK\\(rows == 4\\) failed\\. expected 4 rows, not 3");
}

TEST(CheckDeathTest, NeedsNoMessage) { EXPECT_DEATH(CHECK(1 > 2), "bug: CHECK\\(1 > 2\\) failed"); }

TEST(Check, EvaluatesItsConditionOnceAndItsMessageNeverWhenItHolds) {
  int evaluations = 0;
  int messages = 0;
  CHECK(++evaluations == 1, "{}", ++messages);
  EXPECT_EQ(evaluations, 1);
  EXPECT_EQ(messages, 0);
}

TEST(Check, IsOneStatementInAnIfWithoutBraces) {
  bool reached_else = false;
  if (reached_else)
    CHECK(false);
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

}  // namespace
}  // namespace flaim
