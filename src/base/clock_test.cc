#include "base/clock.h"

#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(ManualClock, MovesOnlyWhenTold) {
  const std::chrono::system_clock::time_point start{std::chrono::hours(5)};
  ManualClock clock(start);
  EXPECT_EQ(clock.Now(), start);
  EXPECT_EQ(clock.Now(), start);
  clock.Advance(std::chrono::seconds(3));
  EXPECT_EQ(clock.Now() - start, std::chrono::seconds(3));
}

TEST(SystemClock, AgreesWithTheSystem) {
  const auto before = std::chrono::system_clock::now();
  const auto now = SystemClock().Now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, std::chrono::system_clock::now());
}

}  // namespace
}  // namespace flaim
