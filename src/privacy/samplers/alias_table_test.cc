#include "privacy/samplers/alias_table.h"

#include <numeric>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/random_source_testing.h"

namespace flaim {
namespace {

constexpr int kCoarseBits = 16;
constexpr std::size_t kCoarseTotal = std::size_t{1} << kCoarseBits;

// Runs every word that is a multiple of 2^48 through the table: an exhaustive count for widths that are such multiples.
std::vector<std::uint64_t> CountAllWords(const AliasTable& table, std::size_t indices) {
  std::vector<std::uint64_t> words(kCoarseTotal);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::uint64_t{i} << (64 - kCoarseBits);
  ScriptedRandomSource random(words);
  std::vector<std::uint64_t> counts(indices, 0);
  for (std::size_t i = 0; i < words.size(); ++i) ++counts[table.Sample(random)];
  return counts;
}

void ExpectEachIndexOwnsItsWidth(const std::vector<std::uint64_t>& coarse_widths) {
  std::vector<std::uint64_t> widths = coarse_widths;
  for (std::uint64_t& width : widths) width <<= 64 - kCoarseBits;
  EXPECT_EQ(CountAllWords(AliasTable(widths), widths.size()), coarse_widths);
}

TEST(AliasTable, GivesEachIndexExactlyItsWidth) {
  ExpectEachIndexOwnsItsWidth({1, kCoarseTotal - 1});
  ExpectEachIndexOwnsItsWidth({kCoarseTotal / 2, kCoarseTotal / 2});
  ExpectEachIndexOwnsItsWidth({0, kCoarseTotal - 2, 0, 1, 1});
  ExpectEachIndexOwnsItsWidth(std::vector<std::uint64_t>(kCoarseTotal / 16, 16));
}

TEST(AliasTable, GivesEachIndexExactlyItsWidthForRandomWidths) {
  SeededRandomSource random(1);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const std::size_t size = 2 + random.NextBelow(300);
    std::vector<std::uint64_t> widths(size, 0);
    std::uint64_t left = kCoarseTotal;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      widths[i] = random.NextBelow(left / (1 + random.NextBelow(size)) + 1);
      left -= widths[i];
    }
    widths[size - 1] = left;
    ExpectEachIndexOwnsItsWidth(widths);
  }
}

TEST(AliasTable, SplitsAtTheLastBit) {
  const std::uint64_t half = std::uint64_t{1} << 63;
  const AliasTable table(std::vector<std::uint64_t>{half - 1, half + 1});
  ScriptedRandomSource random({0, half - 2, half - 1, half, ~std::uint64_t{0}});
  std::vector<std::size_t> drawn(5);
  for (std::size_t& index : drawn) index = table.Sample(random);
  EXPECT_EQ(drawn, (std::vector<std::size_t>{0, 0, 1, 1, 1}));
}

TEST(AliasTableDeathTest, StopsAtWidthsThatDoNotFillTheLine) {
  EXPECT_DEATH(AliasTable(std::vector<std::uint64_t>{1, 2}), "add up");
}

}  // namespace
}  // namespace flaim
