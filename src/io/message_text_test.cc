#include "io/message_text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

TEST(QuoteForMessage, KeepsPlainAndForeignText) {
  EXPECT_EQ(QuoteForMessage(""), "''");
  EXPECT_EQ(QuoteForMessage("Self-emp"), "'Self-emp'");
  EXPECT_EQ(QuoteForMessage("Zürich 漢 😀"), "'Zürich 漢 😀'");
}

TEST(QuoteForMessage, EscapesWhatATerminalWouldAct) {
  EXPECT_EQ(QuoteForMessage("a\nb\tc\rd"), "'a\\nb\\tc\\rd'");
  EXPECT_EQ(QuoteForMessage("\x1b[31m"), "'\\x1b[31m'");
  EXPECT_EQ(QuoteForMessage("it's \\"), "'it\\'s \\\\'");
  EXPECT_EQ(QuoteForMessage("\xc2\x9b"), "'\\xc2\\x9b'") << "a C1 control character";
  EXPECT_EQ(QuoteForMessage("\xe2\x80\xae"), "'\\xe2\\x80\\xae'") << "right-to-left override";
}

TEST(QuoteForMessage, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(QuoteForMessage("caf\xe9"), "'caf\\xe9'");
  EXPECT_EQ(QuoteForMessage("\xc0\xaf"), "'\\xc0\\xaf'") << "overlong";
  EXPECT_EQ(QuoteForMessage("\xed\xa0\x80"), "'\\xed\\xa0\\x80'") << "surrogate";
}

TEST(QuoteForMessage, CutsAfterSixtyCharacters) {
  EXPECT_EQ(QuoteForMessage(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(QuoteForMessage(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(QuoteListForMessage, CutsAfterTen) {
  std::vector<std::string> texts(12, "a");
  EXPECT_THAT(QuoteListForMessage(texts), HasSubstr("and 2 more"));
  texts.resize(2);
  EXPECT_EQ(QuoteListForMessage(texts), "'a', 'a'");
}

TEST(IsUtf8, AgreesWithTheStandardsExamples) {
  EXPECT_TRUE(IsUtf8("plain, é, 漢, 😀"));
  EXPECT_TRUE(IsUtf8("\xf4\x8f\xbf\xbf"));
  for (const char* bad : {"\x80", "\xc3", "\xc1\x81", "\xe0\x9f\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_FALSE(IsUtf8(bad));
  }
}

TEST(SuggestNearest, FindsACloseWordAndNothingElse) {
  constexpr std::string_view kOptions[] = {"values", "nullable", "min"};
  EXPECT_EQ(SuggestNearest("valeus", kOptions), " Did you mean 'values'?");
  EXPECT_EQ(SuggestNearest("sxe", std::vector<std::string_view>{"age", "sex"}), " Did you mean 'sex'?");
  EXPECT_EQ(SuggestNearest("nulable", kOptions), " Did you mean 'nullable'?");
  EXPECT_EQ(SuggestNearest("quite-something-else", kOptions), "");
}

}  // namespace
}  // namespace flaim
