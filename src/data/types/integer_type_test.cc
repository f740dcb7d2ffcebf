#include "data/types/integer_type.h"

#include <string>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

IntegerType Make(std::int64_t min, std::int64_t max, std::optional<std::int64_t> bins = {},
                 std::optional<std::int64_t> bin_width = {}) {
  return *IntegerType::Create({min, max, bins, bin_width});
}

TEST(IntegerType, GivesEachNumberOfASmallRangeItsOwnCode) {
  const IntegerType type = Make(-2, 253);
  EXPECT_EQ(type.size(), 256U);
  EXPECT_EQ(type.Encode("-2"), (Encoded{0}));
  EXPECT_EQ(type.Encode("+253"), (Encoded{255}));
}

TEST(IntegerType, AsksForBinsWhenTheRangeIsLarge) {
  EXPECT_THAT(IntegerType::Create({0, 256, {}, {}}).status().message(), HasSubstr("state 'bins' or 'bin_width'"));
}

TEST(IntegerType, BinsCoverTheRangeWithWidthsThatDifferByAtMostOne) {
  for (std::int64_t numbers = 1; numbers <= 40; ++numbers) {
    for (std::int64_t bins = 1; bins <= numbers; ++bins) {
      const IntegerType type = Make(5, 4 + numbers, bins);
      ASSERT_EQ(type.size(), static_cast<std::uint32_t>(bins));
      std::vector<std::int64_t> widths(static_cast<std::size_t>(bins));
      std::uint32_t previous = 0;
      for (std::int64_t number = 5; number < 5 + numbers; ++number) {
        const Encoded encoded = type.Encode(std::to_string(number));
        ASSERT_EQ(encoded.outcome, EncodeOutcome::kExact);
        ASSERT_GE(encoded.code, previous);
        previous = encoded.code;
        ++widths[encoded.code];
      }
      const auto [narrowest, widest] = std::minmax_element(widths.begin(), widths.end());
      ASSERT_GE(*narrowest, 1);
      ASSERT_LE(*widest - *narrowest, 1);
    }
  }
}

TEST(IntegerType, BinsOfAGivenWidthStartAtTheMinimum) {
  const IntegerType type = Make(1, 10, {}, 4);
  EXPECT_EQ(type.size(), 3U);
  EXPECT_EQ(type.Encode("4").code, 0U);
  EXPECT_EQ(type.Encode("5").code, 1U);
  EXPECT_EQ(type.Encode("10").code, 2U);
}

TEST(IntegerType, TellsBelowAboveAndMalformedApart) {
  const IntegerType type = Make(0, 9);
  EXPECT_EQ(type.Encode("-1"), (Encoded{0, EncodeOutcome::kBelow}));
  EXPECT_EQ(type.Encode("10"), (Encoded{9, EncodeOutcome::kAbove}));
  EXPECT_EQ(type.Encode("99999999999999999999999"), (Encoded{9, EncodeOutcome::kAbove}));
  EXPECT_EQ(type.Encode("-99999999999999999999999"), (Encoded{0, EncodeOutcome::kBelow}));
  for (const char* text : {"", " 1", "1 ", "1.0", "one", "0x1", "+-1", "+", "-", "1e1"}) {
    EXPECT_EQ(type.Encode(text).outcome, EncodeOutcome::kMalformed) << text;
  }
}

TEST(IntegerType, DecodesUniformlyWithinTheBin) {
  SeededRandomSource random(1);
  const IntegerType type = Make(0, 9, 2);
  std::vector<int> counts(10);
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    type.Decode(1, random, text);
    ++counts[static_cast<std::size_t>(std::stoi(text))];
  }
  double chi_squared = 0;
  for (std::size_t number = 5; number < 10; ++number) chi_squared += std::pow(counts[number] - 10'000.0, 2) / 10'000.0;
  EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[3] + counts[4], 0);
  EXPECT_LT(chi_squared, 48.5) << "4 degrees of freedom, alpha = 1e-9";
}

TEST(IntegerType, RefusesImpossibleSpecifications) {
  EXPECT_THAT(IntegerType::Create({2, 1, {}, {}}).status().message(), HasSubstr("swap"));
  EXPECT_FALSE(IntegerType::Create({0, 9, 0, {}}).ok());
  EXPECT_FALSE(IntegerType::Create({0, 9, 11, {}}).ok());
  EXPECT_FALSE(IntegerType::Create({0, 9, {}, 0}).ok());
  EXPECT_FALSE(IntegerType::Create({0, 9, 2, 2}).ok());
  EXPECT_FALSE(IntegerType::Create({INT64_MIN, INT64_MAX, 2, {}}).ok());
  EXPECT_FALSE(IntegerType::Create({0, std::int64_t{1} << 60, {}, 1}).ok());
}

}  // namespace
}  // namespace flaim
