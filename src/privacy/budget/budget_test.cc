#include "privacy/budget/budget.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"

namespace flaim {
namespace {

TEST(PrivacyBudget, KeepsWhatItWasGiven) {
  const auto budget = PrivacyBudget::Create(0.5, 1e-6);
  ASSERT_TRUE(budget.ok());
  EXPECT_EQ(budget->epsilon(), 0.5);
  EXPECT_EQ(budget->delta(), 1e-6);
}

TEST(PrivacyBudget, RefusesWhatPromisesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double epsilon : {0.0, -1.0, 100.5, nan, std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(PrivacyBudget::Create(epsilon, 1e-6).ok()) << epsilon;
  }
  for (const double delta : {0.0, -1e-9, 0.11, 1.0, nan}) EXPECT_FALSE(PrivacyBudget::Create(1, delta).ok()) << delta;
}

TEST(Rho, RoundsCostsUpAndAllowancesDown) {
  EXPECT_EQ(Rho::RoundUp(0.5).units(), std::int64_t{1} << 49);
  EXPECT_EQ(Rho::RoundDown(0.5).units(), std::int64_t{1} << 49);
  SeededRandomSource random(1);
  for (int trial = 0; trial < 10'000; ++trial) {
    const double value = std::ldexp(random.NextUnit(), static_cast<int>(random.NextBelow(60)) - 48);
    const Rho up = Rho::RoundUp(value);
    const Rho down = Rho::RoundDown(value);
    EXPECT_GE(static_cast<long double>(up.units()) * 0x1p-50L, value);
    EXPECT_LE(static_cast<long double>(down.units()) * 0x1p-50L, value);
    EXPECT_LE(up.units() - down.units(), 1);
  }
}

TEST(Rho, AddsWithoutRounding) {
  SeededRandomSource random(2);
  Rho total;
  std::int64_t units = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Rho part = Rho::RoundUp(random.NextUnit());
    total = total + part;
    units += part.units();
  }
  EXPECT_EQ(total.units(), units);
  EXPECT_EQ(total - total, Rho());
}

TEST(RhoDeathTest, StopsWhereArithmeticWouldLie) {
  const Rho largest = Rho::FromUnits(std::numeric_limits<std::int64_t>::max());
  EXPECT_DEATH(largest + Rho::FromUnits(1), "overflowed");
  EXPECT_DEATH(Rho() - Rho::FromUnits(1), "smaller");
  EXPECT_DEATH(Rho::RoundUp(-1), "out of range");
  EXPECT_DEATH(Rho::RoundDown(0x1p12), "out of range");
}

}  // namespace
}  // namespace flaim
