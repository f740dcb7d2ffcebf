#include "io/toml_depth.h"

#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

std::string Repeat(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(TomlDepth, OfAnOrdinarySchemaIsTwo) {
  EXPECT_EQ(TomlDepth("drop = [\"a.b.c.d\"] # [[[[ x.y.z.w\n[[column]]\nname = 'a.b.c.d[[['\n"), 2U);
}

TEST(TomlDepth, CountsBracketsBracesAndDottedKeys) {
  EXPECT_EQ(TomlDepth(fmt::format("a = {:[>50}", "")), 50U);
  EXPECT_EQ(TomlDepth(fmt::format("a = {}", Repeat("{a=", 50))), 50U);
  EXPECT_EQ(TomlDepth(fmt::format("{}a = 1", Repeat("a.", 50))), 50U);
  EXPECT_EQ(TomlDepth(fmt::format("[{}a]", Repeat("\"a.b\" . ", 50))), 50U);
  EXPECT_EQ(TomlDepth(Repeat("a.b = 1\n", 50)), 1U);
}

TEST(TomlDepth, IsNotFooledByTheEndsOfStrings) {
  const std::string deep = Repeat("[", 50);
  for (const char* start :
       {"a = ['x', ", "a = ['', ", "a = [\"\\\"\", ", "a = [\"\\\\\", ", "a = ['\\', ", "a = ['''x'''', ",
        "a = [\"\"\"x\"\"\"\"\", ", "a = [\"\"\"\n\\\"\"\"\", ", "# \"\na = [", "# '''\na = ["}) {
    EXPECT_GE(TomlDepth(start + deep), 50U) << start;
  }
}

}  // namespace
}  // namespace flaim
