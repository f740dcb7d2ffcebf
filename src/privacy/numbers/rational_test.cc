#include "privacy/numbers/rational.h"

#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(Rational, IsKeptInLowestTerms) {
  EXPECT_EQ(Rational(6, 4), Rational(3, 2));
  EXPECT_EQ(Rational(0, 17), Rational(0, 1));
  EXPECT_EQ(Rational(Rational::kMaxTerm, Rational::kMaxTerm), Rational(1, 1));
}

TEST(Rational, PrintsAsAFractionOrAWholeNumber) {
  EXPECT_EQ(Rational(10, 6).ToString(), "5/3");
  EXPECT_EQ(Rational(8, 2).ToString(), "4");
}

TEST(Rational, OrdersByValueEvenWhereDoublesCannot) {
  constexpr std::int64_t kMax = Rational::kMaxTerm;
  EXPECT_LT(Rational(kMax - 2, kMax - 1), Rational(kMax - 1, kMax));
  EXPECT_GT(Rational(1, 3), Rational(1, 4));
  EXPECT_LT(Rational(0, 1), Rational(1, kMax));
}

TEST(Rational, RoundsOutwardByLessThanOnePartInTwoToThe29) {
  SeededRandomSource random(1);
  for (int i = 0; i < 100'000; ++i) {
    const double value = std::ldexp(1 + random.NextUnit(), static_cast<int>(random.NextBelow(48)) - 10);
    const auto up = Rational::RoundUp(value);
    const auto down = Rational::RoundDown(value);
    ASSERT_TRUE(up.ok() && down.ok()) << value;
    const auto exact = static_cast<long double>(value);
    const auto as_real = [](const Rational& rational) {
      return static_cast<long double>(rational.numerator()) / static_cast<long double>(rational.denominator());
    };
    ASSERT_GE(as_real(*up), exact);
    ASSERT_LE(as_real(*down), exact);
    ASSERT_LT(as_real(*up) - as_real(*down), exact * 0x1p-29L);
  }
}

TEST(Rational, LeavesRepresentableValuesAlone) {
  for (const double value : {0.0, 0.25, 1.0, 400.0, 0x1p-40, 0x1p39}) {
    EXPECT_EQ(Rational::RoundUp(value)->ToDouble(), value);
    EXPECT_EQ(Rational::RoundDown(value)->ToDouble(), value);
  }
}

TEST(Rational, RefusesWhatIsNoFraction) {
  for (const double value :
       {-1.0, -0x1p-60, 0x1.8p39, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(Rational::RoundUp(value).ok()) << value;
    EXPECT_FALSE(Rational::RoundDown(value).ok()) << value;
  }
}

TEST(RationalDeathTest, StopsAtTermsOutOfRange) {
  EXPECT_DEATH(Rational(-1, 2), "numerator");
  EXPECT_DEATH(Rational(1, 0), "denominator");
  EXPECT_DEATH(Rational(Rational::kMaxTerm + 1, 2), "numerator");
}

}  // namespace
}  // namespace flaim
