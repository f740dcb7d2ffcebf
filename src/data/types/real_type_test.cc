#include "data/types/real_type.h"

#include <cmath>
#include <limits>
#include <set>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

RealType Uniform(double min, double max, std::int64_t bins) {
  return *RealType::Create({UniformBins{min, max, bins}, std::nullopt});
}

std::string DecodeOnce(const RealType& type, std::uint32_t code, RandomSource& random) {
  std::string text;
  type.Decode(code, random, text);
  return text;
}

TEST(RealType, BinsAreHalfOpenAndTheLastIsClosed) {
  const RealType type = Uniform(0, 10, 4);
  EXPECT_EQ(type.Encode("0"), (Encoded{0}));
  EXPECT_EQ(type.Encode("2.4999"), (Encoded{0}));
  EXPECT_EQ(type.Encode("2.5"), (Encoded{1}));
  EXPECT_EQ(type.Encode("10"), (Encoded{3}));
  EXPECT_EQ(type.Encode("1e1"), (Encoded{3}));
}

TEST(RealType, FollowsExplicitEdges) {
  const RealType type = *RealType::Create({std::vector<double>{0, 1, 10, 100}, std::nullopt});
  EXPECT_EQ(type.size(), 3U);
  EXPECT_EQ(type.Encode("0.5").code, 0U);
  EXPECT_EQ(type.Encode("1").code, 1U);
  EXPECT_EQ(type.Encode("99").code, 2U);
}

TEST(RealType, TellsBelowAboveAndMalformedApart) {
  const RealType type = Uniform(0, 1, 4);
  EXPECT_EQ(type.Encode("-0.001"), (Encoded{0, EncodeOutcome::kBelow}));
  EXPECT_EQ(type.Encode("1.001"), (Encoded{3, EncodeOutcome::kAbove}));
  for (const char* text : {"", "nan", "inf", "-inf", "1,5", " 1", "0x1p3", "1e999", "abc", "--1"}) {
    EXPECT_EQ(type.Encode(text).outcome, EncodeOutcome::kMalformed) << text;
  }
}

TEST(RealType, WritesTwoDigitsMoreThanTheBinWidthHas) {
  SeededRandomSource random(1);
  EXPECT_THAT(DecodeOnce(Uniform(0, 100, 10), 3, random), MatchesRegex("3[0-9]\\.[0-9]"));
  EXPECT_THAT(DecodeOnce(Uniform(0, 1e6, 10), 0, random), MatchesRegex("[0-9]+"));
  EXPECT_THAT(DecodeOnce(Uniform(-1, 0, 100), 0, random), MatchesRegex("-(0\\.99|1\\.00)[0-9]+|-1\\.0000"));
}

TEST(RealType, WritesTheDecimalsThatTheSchemaAsksFor) {
  SeededRandomSource random(1);
  const RealType type = *RealType::Create({UniformBins{17, 90, 32}, 0});
  std::set<std::string> seen;
  for (int i = 0; i < 200; ++i) seen.insert(DecodeOnce(type, 0, random));
  EXPECT_EQ(seen, (std::set<std::string>{"17", "18", "19"}));
}

TEST(RealType, RefusesDecimalsThatLeaveABinEmpty) {
  EXPECT_THAT(RealType::Create({UniformBins{0, 3, 32}, 0}).status().message(), HasSubstr("contains no such number"));
  EXPECT_FALSE(RealType::Create({UniformBins{0, 1, 2}, -1}).ok());
  EXPECT_FALSE(RealType::Create({UniformBins{0, 1, 2}, 16}).ok());
}

TEST(RealType, DecodedValuesStayInTheirBinAtEveryScale) {
  SeededRandomSource random(2);
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  const std::vector<UniformBins> scales = {{0, 1, 32},
                                           {-1e-300, 1e-300, 7},
                                           {0, 8 * kTiny, 8},
                                           {-kLargest, kLargest, 5},
                                           {1e15, 1e15 + 8, 16},
                                           {1, std::nextafter(1, 2), 1},
                                           {-36.8023199088745, 2.40265203999086, 32},
                                           {0.1, 0.3, 1 << 16}};
  for (const UniformBins& scale : scales) {
    const RealType type = Uniform(scale.min, scale.max, scale.bins);
    for (int i = 0; i < 20'000; ++i) {
      const auto code = static_cast<std::uint32_t>(random.NextBelow(type.size()));
      const std::string text = DecodeOnce(type, code, random);
      ASSERT_EQ(type.Encode(text), (Encoded{code})) << text;
    }
  }
}

TEST(RealType, DecodesUniformlyWithinTheBin) {
  SeededRandomSource random(3);
  const RealType type = Uniform(0, 10, 2);
  std::vector<int> counts(5);
  for (int i = 0; i < 50'000; ++i) ++counts[static_cast<std::size_t>(std::stod(DecodeOnce(type, 1, random)) - 5) % 5];
  double chi_squared = 0;
  for (const int count : counts) chi_squared += std::pow(count - 10'000.0, 2) / 10'000.0;
  // The upper end, one of 501 values, falls into the first cell: its expected excess adds at most 0.3 here.
  EXPECT_LT(chi_squared, 60) << "4 degrees of freedom, alpha = 1e-9, with room for the end point";
}

TEST(RealType, RefusesImpossibleSpecifications) {
  EXPECT_THAT(RealType::Create({UniformBins{1, 1, 4}, {}}).status().message(), HasSubstr("min must be below max"));
  EXPECT_FALSE(RealType::Create({UniformBins{0, INFINITY, 4}, {}}).ok());
  EXPECT_FALSE(RealType::Create({UniformBins{0, NAN, 4}, {}}).ok());
  EXPECT_FALSE(RealType::Create({UniformBins{0, 1, 0}, {}}).ok());
  EXPECT_FALSE(RealType::Create({UniformBins{0, 1, kMaxCodesPerColumn + 1}, {}}).ok());
  EXPECT_FALSE(RealType::Create({std::vector<double>{1}, {}}).ok());
  EXPECT_FALSE(RealType::Create({std::vector<double>{1, NAN, 2}, {}}).ok());
  EXPECT_THAT(RealType::Create({std::vector<double>{0, 2, 1}, {}}).status().message(), HasSubstr("must increase"));
  EXPECT_THAT(RealType::Create({UniformBins{1, std::nextafter(1, 2), 4}, {}}).status().message(),
              HasSubstr("double precision"));
}

}  // namespace
}  // namespace flaim
