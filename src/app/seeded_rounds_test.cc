#include "app/seeded_rounds.h"

#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(SeededRounds, ARoundDoesNotDependOnWhatWasDrawnBefore) {
  SeededRounds went_through(5);
  SeededRounds resumed(5);
  for (int i = 0; i < 3000; ++i) went_through.NextU64();
  went_through.StartNextRound();
  resumed.StartNextRound();
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(went_through.NextU64(), resumed.NextU64());
}

TEST(SeededRounds, RoundsAndSeedsDiffer) {
  SeededRounds source(5);
  SeededRounds other(6);
  const std::uint64_t first = source.NextU64();
  EXPECT_NE(first, other.NextU64());
  source.StartNextRound();
  EXPECT_NE(first, source.NextU64());
}

TEST(SeededRounds, SaysThatItIsNotPrivate) {
  const SeededRounds source(5);
  EXPECT_FALSE(source.IsSecure());
  EXPECT_NE(source.Provenance().find("NOT PRIVATE"), std::string::npos);
}

}  // namespace
}  // namespace flaim
