#include "arrow/half_value.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "arrow/value_text.h"
#include "gtest/gtest.h"
#include "io/number_text.h"

namespace flaim {
namespace {

constexpr std::uint16_t kInfinity = 0x7C00;

std::string TextOf(HalfValue value) {
  std::string text;
  AppendText(value, text);
  return text;
}

TEST(HalfValue, HasTheValuesOfTheStandard) {
  EXPECT_EQ(HalfValue{0x3C00}.ToFloat(), 1.0F);
  EXPECT_EQ(HalfValue{0xC000}.ToFloat(), -2.0F);
  EXPECT_EQ(HalfValue{0x7BFF}.ToFloat(), 65504.0F);
  EXPECT_EQ(HalfValue{0x0400}.ToFloat(), 0x1p-14F);
  EXPECT_EQ(HalfValue{0x0001}.ToFloat(), 0x1p-24F);
  EXPECT_EQ(HalfValue{0x3555}.ToFloat(), 0.333251953125F);
  EXPECT_TRUE(std::signbit(HalfValue{0x8000}.ToFloat()));
  EXPECT_EQ(HalfValue{0xFC00}.ToFloat(), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(HalfValue{0x7C01}.ToFloat()));
}

TEST(HalfValue, HasATextThatIsNearerToItThanToAnyOther) {
  std::set<std::string> texts;
  for (std::uint16_t bits = 1; bits + 1 < kInfinity; ++bits) {
    const std::string text = TextOf({bits});
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_EQ(TextOf({static_cast<std::uint16_t>(bits | HalfValue::kSignBit)}), "-" + text);
    const double read = ParseReal(text).value();
    const double distance = std::abs(read - HalfValue{bits}.ToFloat());
    EXPECT_LT(distance, std::abs(read - HalfValue{static_cast<std::uint16_t>(bits - 1)}.ToFloat())) << text;
    EXPECT_LT(distance, std::abs(read - HalfValue{static_cast<std::uint16_t>(bits + 1)}.ToFloat())) << text;
  }
}

TEST(HalfValue, HasAShortText) {
  EXPECT_EQ(TextOf({0x2E66}), "0.1");
  EXPECT_EQ(TextOf({0x0001}), "6e-08");
  EXPECT_EQ(TextOf({0x7BFF}), "65504");
  EXPECT_EQ(TextOf({0x8000}), "0");
  EXPECT_EQ(TextOf({kInfinity}), "inf");
}

}  // namespace
}  // namespace flaim
