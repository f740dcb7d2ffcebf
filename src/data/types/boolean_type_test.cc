#include "data/types/boolean_type.h"

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

TEST(BooleanType, KnowsTheUsualSpellings) {
  const BooleanType type = *BooleanType::Create({});
  for (const char* text : {"true", "TRUE", "yes", "Y", "1"}) EXPECT_EQ(type.Encode(text), (Encoded{1})) << text;
  for (const char* text : {"false", "False", "no", "n", "0"}) EXPECT_EQ(type.Encode(text), (Encoded{0})) << text;
  for (const char* text : {"", "2", "truE", " true"}) {
    EXPECT_EQ(type.Encode(text).outcome, EncodeOutcome::kMalformed) << text;
  }
}

TEST(BooleanType, WritesTheFirstSpelling) {
  SeededRandomSource random(1);
  const BooleanType type = *BooleanType::Create({{"ja", "j"}, {"nein"}});
  std::string text;
  type.Decode(1, random, text);
  type.Decode(0, random, text);
  EXPECT_EQ(text, "janein");
}

TEST(BooleanType, RefusesASpellingOfBoth) {
  EXPECT_THAT(BooleanType::Create({{"x"}, {"x"}}).status().message(), HasSubstr("'x' twice"));
  EXPECT_FALSE(BooleanType::Create({{}, {"x"}}).ok());
}

}  // namespace
}  // namespace flaim
