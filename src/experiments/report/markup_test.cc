#include "experiments/report/markup.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"

namespace flaim {
namespace {

TEST(Markup, EscapesTextsAndAttributes) {
  const Markup markup = Markup::Element("p", {{"title", "a\"b<c"}}, "<script>alert('x') & more</script>");
  EXPECT_EQ(markup.Html(), "<p title=\"a&quot;b&lt;c\">&lt;script&gt;alert(&#39;x&#39;) &amp; more&lt;/script&gt;</p>");
}

TEST(Markup, LeavesOutAttributesWithoutValue) {
  EXPECT_EQ(Markup::Empty("path", {{"class", ""}, {"d", "M0 0"}}).Html(), "<path d=\"M0 0\"/>");
}

TEST(Markup, ReplacesControlCharactersThatXmlForbids) {
  EXPECT_EQ(EscapeMarkup(std::string_view("a\0b\x1f\n\tc", 7)), "a\uFFFDb\uFFFD\n\tc");
}

TEST(Markup, LeavesNoCharacterWithAMeaningInAnyText) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::arbitrary<std::string>();
    const std::string escaped = EscapeMarkup(text);
    RC_ASSERT(escaped.find_first_of("<>\"'") == std::string::npos);
    for (std::size_t at = escaped.find('&'); at != std::string::npos; at = escaped.find('&', at + 1)) {
      RC_ASSERT(escaped.find(';', at) != std::string::npos);
    }
  }));
}

}  // namespace
}  // namespace flaim
