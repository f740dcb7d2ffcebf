#include "base/random_source.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// Serves the given words again and again, and shows its pool.
class ScriptedSource final : public RandomSource {
 public:
  explicit ScriptedSource(std::vector<std::uint64_t> words) : RandomSource(&pool_), words_(std::move(words)) {}
  std::string Provenance() const override { return "scripted"; }
  bool IsSecure() const override { return false; }

  std::span<const std::byte> pool_bytes() const { return pool_.bytes; }
  std::size_t unserved_bytes() const { return pool_.remaining; }

 private:
  void Generate(Pool& pool) override {
    for (std::size_t offset = 0; offset < kPoolBytes; offset += sizeof(std::uint64_t)) {
      const std::uint64_t word = words_[next_++ % words_.size()];
      std::memcpy(pool.bytes + offset, &word, sizeof word);
    }
  }

  std::vector<std::uint64_t> words_;
  std::size_t next_ = 0;
  Pool pool_{};
};

// The value that a chi-squared variable exceeds with probability 1e-9 (Wilson and Hilferty).
double ChiSquaredLimit(double degrees) {
  constexpr double kNormalQuantile = 5.9978;
  const double spread = 2 / (9 * degrees);
  return degrees * std::pow(1 - spread + kNormalQuantile * std::sqrt(spread), 3);
}

double ChiSquared(const std::vector<std::uint64_t>& counts, std::uint64_t draws) {
  const double expected = static_cast<double>(draws) / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::uint64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  return sum;
}

TEST(RandomSource, ForgetsTheBytesThatItHandedOut) {
  ScriptedSource source({0x1111111111111111, 0x2222222222222222});
  EXPECT_EQ(source.NextU64(), 0x1111111111111111u);
  while (true) {
    const std::span<const std::byte> pool = source.pool_bytes();
    const auto served = pool.first(pool.size() - source.unserved_bytes());
    const auto unserved = pool.last(source.unserved_bytes());
    ASSERT_TRUE(std::all_of(served.begin(), served.end(), [](std::byte byte) { return byte == std::byte{0}; }));
    ASSERT_TRUE(std::all_of(unserved.begin(), unserved.end(), [](std::byte byte) { return byte != std::byte{0}; }));
    if (unserved.empty()) break;
    source.NextU64();
  }
}

TEST(RandomSource, NextBelowRejectsTheDrawsThatWouldFavourSomeValues) {
  // 2^64 mod 3 = 1: of all draws, only 0 is one too many.
  EXPECT_EQ(ScriptedSource({0, std::uint64_t{1} << 63}).NextBelow(3), 1u);
  EXPECT_EQ(ScriptedSource({1, std::uint64_t{1} << 63}).NextBelow(3), 0u);
  // A power of two divides 2^64, so that nothing is rejected.
  EXPECT_EQ(ScriptedSource({0, ~std::uint64_t{0}}).NextBelow(8), 0u);
  EXPECT_EQ(ScriptedSource({~std::uint64_t{0}}).NextBelow(8), 7u);
}

TEST(RandomSource, NextBelowOneIsZero) { EXPECT_EQ(ScriptedSource({~std::uint64_t{0}}).NextBelow(1), 0u); }

TEST(RandomSourceDeathTest, NextBelowNeedsABound) { EXPECT_DEATH(ScriptedSource({0}).NextBelow(0), "bound > 0"); }

// Fixed seeds, alpha = 1e-9 each.
TEST(RandomSource, NextBelowIsUniform) {
  constexpr std::uint64_t kDraws = 300000;
  for (const std::uint64_t bound : {2u, 3u, 7u, 10u, 256u, 1000u}) {
    SeededRandomSource source(bound, "uniform");
    std::vector<std::uint64_t> counts(bound);
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) ++counts.at(source.NextBelow(bound));
    EXPECT_LT(ChiSquared(counts, kDraws), ChiSquaredLimit(static_cast<double>(bound - 1))) << bound;
  }
}

// Without rejection, multiples of 3 below 3 * 2^62 would come up half of the time instead of a third.
TEST(RandomSource, NextBelowIsUniformForABoundThatRejectsOften) {
  constexpr std::uint64_t kBound = 3 * (std::uint64_t{1} << 62);
  constexpr std::uint64_t kDraws = 300000;
  SeededRandomSource source(1, "large bound");
  std::vector<std::uint64_t> by_remainder(3);
  std::vector<std::uint64_t> by_third(3);
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const std::uint64_t value = source.NextBelow(kBound);
    ++by_remainder[value % 3];
    ++by_third.at(value >> 62);
  }
  EXPECT_LT(ChiSquared(by_remainder, kDraws), ChiSquaredLimit(2));
  EXPECT_LT(ChiSquared(by_third, kDraws), ChiSquaredLimit(2));
}

TEST(RandomSource, NextUnitCoversZeroToOneWithoutReachingOne) {
  EXPECT_EQ(ScriptedSource({0}).NextUnit(), 0);
  EXPECT_EQ(ScriptedSource({~std::uint64_t{0}}).NextUnit(), 1 - 0x1p-53);
  EXPECT_EQ(ScriptedSource({std::uint64_t{1} << 63}).NextUnit(), 0.5);
}

TEST(RandomSource, FillGivesTheStreamForAnySizeAndTouchesNothingElse) {
  for (std::size_t size = 0; size <= 20; ++size) {
    SeededRandomSource words(5);
    SeededRandomSource bytes(5);
    std::vector<std::byte> expected(24);
    for (std::size_t offset = 0; offset < expected.size(); offset += 8) {
      const std::uint64_t word = words.NextU64();
      std::memcpy(expected.data() + offset, &word, sizeof word);
    }
    std::fill(expected.begin() + static_cast<std::ptrdiff_t>(size), expected.end(), std::byte{0xee});
    std::vector<std::byte> filled(24, std::byte{0xee});
    bytes.Fill(std::span(filled).first(size));
    EXPECT_EQ(filled, expected) << size;
  }
}

}  // namespace
}  // namespace flaim
