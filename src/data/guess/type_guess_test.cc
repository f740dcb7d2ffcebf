#include "data/guess/type_guess.h"

#include <initializer_list>

#include "gtest/gtest.h"

namespace flaim {
namespace {

GuessedType Guess(std::initializer_list<std::string_view> texts) {
  TypeGuess guess;
  for (const std::string_view text : texts) guess.Observe(text);
  return guess.Best();
}

TEST(TypeGuess, TakesTheNarrowestTypeThatFitsAll) {
  EXPECT_EQ(Guess({"1", "-2", "0"}), GuessedType::kInteger);
  EXPECT_EQ(Guess({"1", "2.5"}), GuessedType::kReal);
  EXPECT_EQ(Guess({"1", "x"}), GuessedType::kCategorical);
  EXPECT_EQ(Guess({"yes", "no"}), GuessedType::kBoolean);
  EXPECT_EQ(Guess({"2024-01-01"}), GuessedType::kDate);
  EXPECT_EQ(Guess({"2024-01-01 10:00"}), GuessedType::kDateTime);
  EXPECT_EQ(Guess({"2024-01-01", "2024-01-01 10:00"}), GuessedType::kCategorical);
}

TEST(TypeGuess, LearnsNothingFromMissingMarkers) {
  EXPECT_EQ(Guess({"", "?", "NA"}), GuessedType::kCategorical);
  EXPECT_EQ(Guess({"", "5", "?"}), GuessedType::kInteger);
}

TEST(TypeGuess, TreatsPostalCodesAndHugeNumbersAsTexts) {
  EXPECT_EQ(Guess({"01234", "99999"}), GuessedType::kCategorical);
  EXPECT_EQ(Guess({"0", "0.5", "-0.25"}), GuessedType::kReal);
  EXPECT_EQ(Guess({"1e400"}), GuessedType::kCategorical);
}

}  // namespace
}  // namespace flaim
