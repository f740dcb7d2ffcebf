#include "base/seeded_random_source.h"

#include <bit>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

std::vector<std::uint64_t> Draw(std::uint64_t seed, std::string_view label, int count = 8) {
  SeededRandomSource source(seed, label);
  std::vector<std::uint64_t> words;
  for (int i = 0; i < count; ++i) words.push_back(source.NextU64());
  return words;
}

// The expected words come from elsewhere: ChaCha20 of the openssl command over zeros, with the BLAKE2b-256 of Python's
// hashlib over "flaim seeded source 7: client 12, round 3" as its key, counter 0, and the block number as its nonce.
// Published results depend on this stream: if this test fails, the stream has changed, not the expectation.
TEST(SeededRandomSource, ServesTheSameStreamOnEveryMachine) {
  constexpr int kWordsPerBlock = 504;
  const std::vector<std::uint64_t> words = Draw(7, "client 12, round 3", 2 * kWordsPerBlock);
  EXPECT_EQ(words[0], 0x21fb4392070a0ef3u);
  EXPECT_EQ(words[1], 0xc5aea2b5e692361fu);
  EXPECT_EQ(words[2], 0x4a1a17b66d24bce1u);
  EXPECT_EQ(words[kWordsPerBlock - 1], 0x17ea47dfc14b0a59u);
  EXPECT_EQ(words[kWordsPerBlock], 0x78bfce1975c4440au);
  EXPECT_EQ(words[2 * kWordsPerBlock - 1], 0xd5f0571bb0a0713eu);
}

TEST(SeededRandomSource, RepeatsItselfForTheSameSeedAndLabel) {
  EXPECT_EQ(Draw(1, "a", 2000), Draw(1, "a", 2000));
  EXPECT_EQ(Draw(1, ""), Draw(1, {}));
}

TEST(SeededRandomSource, GivesEachSeedAndLabelAStreamOfItsOwn) {
  std::set<std::uint64_t> first_words;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const std::string_view label : {"", "a", "b", "1", "client 1", "client 11"}) {
      EXPECT_TRUE(first_words.insert(Draw(seed, label)[0]).second) << seed << " " << label;
    }
  }
}

// Agreeing bits of two independent streams are Binomial(n, 1/2); six standard deviations, fixed seed.
TEST(SeededRandomSource, StreamsOfTwoLabelsAreUncorrelated) {
  constexpr int kWords = 4000;
  const std::vector<std::uint64_t> left = Draw(3, "left", kWords);
  const std::vector<std::uint64_t> right = Draw(3, "right", kWords);
  int agreeing = 0;
  for (std::size_t i = 0; i < left.size(); ++i) agreeing += std::popcount(~(left[i] ^ right[i]));
  EXPECT_NEAR(agreeing, kWords * 32, 6 * 0.5 * 506);
}

TEST(SeededRandomSource, NeverRepeatsABlock) {
  const std::vector<std::uint64_t> words = Draw(9, "blocks", 20000);
  EXPECT_EQ(std::set<std::uint64_t>(words.begin(), words.end()).size(), words.size());
}

TEST(SeededRandomSource, SaysThatItIsNotPrivate) {
  const SeededRandomSource source(42);
  EXPECT_FALSE(source.IsSecure());
  EXPECT_EQ(source.Provenance(), "seeded:42 (NOT PRIVATE)");
}

}  // namespace
}  // namespace flaim
