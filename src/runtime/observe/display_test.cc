#include "runtime/observe/display.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace flaim::runtime {
namespace {

constexpr const char* kQuestion = "\xEF\xBF\xBD";

TEST(Printable, LeavesOrdinaryTextAlone) {
  for (const char* text : {"", "hospital-1", "Krankenhaus Süd", "日本", "😀", "a b"}) EXPECT_EQ(Printable(text), text);
}

TEST(Printable, TakesThePowerFromControlCharacters) {
  EXPECT_EQ(Printable("\x1b[2J"), std::string(kQuestion) + "[2J");
  EXPECT_EQ(Printable("a\nb\r\t\x7f"), fmt::format("a{0}b{0}{0}{0}", kQuestion));
  EXPECT_EQ(Printable("\xC2\x9B"), kQuestion) << "a control character of two bytes";
  EXPECT_EQ(Printable("\xE2\x80\xAE"), kQuestion) << "from here on to the left";
  EXPECT_EQ(Printable(std::string_view("\0", 1)), kQuestion);
}

TEST(Printable, ReplacesWhatIsNotUtf8) {
  for (const char* bad : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\x80"}) {
    EXPECT_THAT(Printable(bad), ::testing::HasSubstr(kQuestion));
    EXPECT_NO_THROW(nlohmann::json(Printable(bad)).dump()) << "it must be UTF-8 now";
  }
}

TEST(Printable, MakesUtf8OfAnyBytes) {
  SeededRandomSource random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random.NextBelow(6), ' ');
    for (char& byte : bytes) byte = static_cast<char>(random.NextBelow(2) == 0 ? 0x80 + random.NextBelow(128) : 'a');
    const std::string printable = Printable(bytes);
    ASSERT_NO_THROW(nlohmann::json(printable).dump());
    bool was_utf8 = true;
    try {
      nlohmann::json(bytes).dump();
    } catch (const nlohmann::json::exception&) {
      was_utf8 = false;
    }
    ASSERT_TRUE(was_utf8 || printable != bytes);
  }
}

TEST(CutTo, KeepsWholeCharacters) {
  EXPECT_EQ(CutTo("Süd", 3), "Süd");
  EXPECT_EQ(CutTo("Süden", 3), "Sü…");
  EXPECT_EQ(CutTo("Süden", 1), "…");
  EXPECT_EQ(CutTo("Süden", 0), "");
  EXPECT_EQ(PadTo("Sü", 4), "Sü  ");
  EXPECT_EQ(PadTo("Süden", 4), "Süd…");
}

TEST(BytesInShort, HasAUnitThatFits) {
  const std::vector<std::pair<double, const char*>> expected = {
      {0, "0 B"},      {999, "999 B"},      {1000, "1.0 kB"},    {9949, "9.9 kB"},
      {9951, "10 kB"}, {999'499, "999 kB"}, {999'501, "1.0 MB"}, {1.8e19, "18 EB"}};
  for (const auto& [bytes, text] : expected) EXPECT_EQ(BytesInShort(bytes), text);
}

TEST(DurationInShort, HasUnitsThatFit) {
  const std::vector<std::pair<double, const char*>> expected = {
      {-3, "0.0 s"},        {0.44, "0.4 s"},     {9.96, "10 s"},       {59.4, "59 s"},
      {59.6, "1 min 00 s"}, {185, "3 min 05 s"}, {3600, "1 h 00 min"}, {7800, "2 h 10 min"},
      {86'400, "1 d 00 h"}, {1e12, "forever"},   {1e300, "forever"}};
  for (const auto& [seconds, text] : expected) EXPECT_EQ(DurationInShort(seconds), text);
  EXPECT_EQ(DurationInShort(std::numeric_limits<double>::quiet_NaN()), "forever");
}

TEST(TimeOfDay, IsThatOfGreenwichAlsoBefore1970) {
  EXPECT_EQ(TimeOfDay(0), "00:00:00");
  EXPECT_EQ(TimeOfDay(1'893'499'385'042), "12:03:05");
  EXPECT_EQ(TimeOfDay(-1), "23:59:59");
}

TEST(Bar, IsFullOnlyAtTheEnd) {
  EXPECT_EQ(Bar(0, 4), "░░░░");
  EXPECT_EQ(Bar(0.5, 4), "██░░");
  EXPECT_EQ(Bar(0.999, 4), "███░");
  EXPECT_EQ(Bar(1, 4), "████");
  EXPECT_EQ(Bar(7, 4), "████");
  EXPECT_EQ(Bar(std::numeric_limits<double>::quiet_NaN(), 4), "░░░░");
}

}  // namespace
}  // namespace flaim::runtime
