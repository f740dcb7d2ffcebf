#include "data/types/categorical_type.h"

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

TEST(CategoricalType, CodesAreThePositionsInTheList) {
  const CategoricalType type = *CategoricalType::Create({{"red", "green", ""}, std::nullopt});
  EXPECT_EQ(type.size(), 3U);
  EXPECT_EQ(type.Encode("red"), (Encoded{0, EncodeOutcome::kExact}));
  EXPECT_EQ(type.Encode(""), (Encoded{2, EncodeOutcome::kExact}));
  EXPECT_EQ(type.Encode("Red").outcome, EncodeOutcome::kNotListed);
}

TEST(CategoricalType, AnOtherThatIsNotListedTakesTheCodeAfterTheLastValue) {
  const CategoricalType type = *CategoricalType::Create({{"red", "green"}, "other"});
  EXPECT_EQ(type.size(), 3U);
  EXPECT_EQ(type.Encode("blue"), (Encoded{2, EncodeOutcome::kNotListed}));
  EXPECT_EQ(type.Encode("other"), (Encoded{2, EncodeOutcome::kExact}));
}

TEST(CategoricalType, AnOtherThatIsListedKeepsItsCode) {
  const CategoricalType type = *CategoricalType::Create({{"misc", "green"}, "misc"});
  EXPECT_EQ(type.size(), 2U);
  EXPECT_EQ(type.Encode("blue"), (Encoded{0, EncodeOutcome::kNotListed}));
}

TEST(CategoricalType, DecodesToTheListedText) {
  SeededRandomSource random(1);
  const CategoricalType type = *CategoricalType::Create({{"red", "green"}, "other"});
  std::string text = ">";
  for (std::uint32_t code = 0; code < 3; ++code) type.Decode(code, random, text);
  EXPECT_EQ(text, ">redgreenother");
}

TEST(CategoricalType, RefusesNoValuesAndRepeatedOnes) {
  EXPECT_THAT(CategoricalType::Create({}).status().message(), HasSubstr("list at least one"));
  EXPECT_THAT(CategoricalType::Create({{"a", "b", "a"}, std::nullopt}).status().message(), HasSubstr("'a' twice"));
}

}  // namespace
}  // namespace flaim
