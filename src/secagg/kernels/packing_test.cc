#include "secagg/kernels/packing.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/seeded_random_source.h"
#include "secagg/kernels/packing_testing.h"

namespace flaim::secagg {
namespace {

constexpr std::uint8_t kGuard = 0xb7;
constexpr std::size_t kGuardBytes = 16;

// Bytes that start anywhere, between guards that nobody may write to.
class GuardedBytes {
 public:
  GuardedBytes(std::size_t start, std::size_t size)
      : start_(start), size_(size), bytes_(start + size + kGuardBytes, kGuard) {}

  std::span<std::uint8_t> span() { return std::span(bytes_).subspan(start_, size_); }

  bool GuardsAreWhole() const {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      if ((i < start_ || i >= start_ + size_) && bytes_[i] != kGuard) return false;
    }
    return true;
  }

 private:
  std::size_t start_;
  std::size_t size_;
  std::vector<std::uint8_t> bytes_;
};

template <typename Word>
std::vector<Word> RandomWords(std::size_t count, RandomSource& random) {
  std::vector<Word> words(count);
  random.Fill(std::as_writable_bytes(std::span(words)));
  return words;
}

template <typename Word>
std::vector<std::uint64_t> Widened(const std::vector<Word>& words) {
  return {words.begin(), words.end()};
}

std::vector<std::uint8_t> Copied(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

// Calls property(words, bits, start of the packed bytes).
template <typename Word, typename Property>
void ForRandomVectors(std::uint64_t seed, const Property& property) {
  SeededRandomSource random(seed);
  for (int bits = 1; bits <= std::numeric_limits<Word>::digits; ++bits) {
    for (std::size_t size = 0; size < 20; ++size) property(RandomWords<Word>(size, random), bits, size % 8);
    for (int repetition = 0; repetition < 4; ++repetition) {
      property(RandomWords<Word>(random.NextBelow(300), random), bits, random.NextBelow(9));
    }
  }
}

template <typename Word>
void ExpectPackEqualsNaive() {
  ForRandomVectors<Word>(1, [](const std::vector<Word>& words, int bits, std::size_t start) {
    GuardedBytes packed(start, PackedBytes(words.size(), bits));
    Pack(words, bits, packed.span());
    std::vector<std::uint8_t> expected(packed.span().size());
    PackNaive(Widened(words), bits, expected);
    ASSERT_EQ(Copied(packed.span()), expected) << words.size() << " words of " << bits << " bits";
    ASSERT_TRUE(packed.GuardsAreWhole());
  });
}

TEST(Pack, EqualsItsNaiveTwinFor32BitWords) { ExpectPackEqualsNaive<std::uint32_t>(); }
TEST(Pack, EqualsItsNaiveTwinFor64BitWords) { ExpectPackEqualsNaive<std::uint64_t>(); }

template <typename Word>
void ExpectAddPackedEqualsNaive() {
  SeededRandomSource random(2);
  ForRandomVectors<Word>(3, [&random](const std::vector<Word>& words, int bits, std::size_t start) {
    GuardedBytes packed(start, PackedBytes(words.size(), bits));
    PackNaive(Widened(words), bits, packed.span());
    std::vector<Word> sums = RandomWords<Word>(words.size(), random);
    std::vector<std::uint64_t> wide_sums = Widened(sums);
    AddPacked(packed.span(), bits, std::span(sums));
    AddPackedNaive(packed.span(), bits, wide_sums);
    const std::vector<Word> expected(wide_sums.begin(), wide_sums.end());
    ASSERT_EQ(sums, expected) << words.size() << " words of " << bits << " bits";
  });
}

TEST(AddPacked, EqualsItsNaiveTwinFor32BitWords) { ExpectAddPackedEqualsNaive<std::uint32_t>(); }
TEST(AddPacked, EqualsItsNaiveTwinFor64BitWords) { ExpectAddPackedEqualsNaive<std::uint64_t>(); }

TEST(AddPacked, AddsWhatWasPackedModuloTheRing) {
  SeededRandomSource random(4);
  for (const int bits : {7, 20, 32, 45, 64}) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    std::vector<std::uint64_t> sums(100);
    std::vector<std::uint64_t> expected(100);
    for (int vector = 0; vector < 10; ++vector) {
      const std::vector<std::uint64_t> words = RandomWords<std::uint64_t>(100, random);
      std::vector<std::uint8_t> packed(PackedBytes(100, bits));
      Pack(words, bits, packed);
      AddPacked(packed, bits, std::span(sums));
      for (std::size_t i = 0; i < words.size(); ++i) expected[i] += words[i] & mask;
    }
    EXPECT_EQ(sums, expected) << bits;
  }
}

TEST(Pack, WritesWordsFromTheLowestBitUp) {
  const std::vector<std::uint32_t> words = {0xabc, 0xfffff123, 0x789};
  std::vector<std::uint8_t> packed(PackedBytes(3, 12));
  Pack(words, 12, packed);
  EXPECT_EQ(packed, (std::vector<std::uint8_t>{0xbc, 0x3a, 0x12, 0x89, 0x07}));
}

TEST(PackedBytes, RoundsUpToWholeBytes) {
  EXPECT_EQ(PackedBytes(0, 13), 0U);
  EXPECT_EQ(PackedBytes(1, 1), 1U);
  EXPECT_EQ(PackedBytes(8, 1), 1U);
  EXPECT_EQ(PackedBytes(9, 1), 2U);
  EXPECT_EQ(PackedBytes(3, 12), 5U);
  EXPECT_EQ(PackedBytes(1000000, 32), 4000000U);
  EXPECT_EQ(PackedBytes(std::size_t{1} << 60, 64), std::size_t{1} << 63);
}

TEST(Pack, StopsAtSizesThatDoNotFit) {
  const std::vector<std::uint32_t> words(10);
  std::vector<std::uint8_t> packed(40);
  EXPECT_DEATH(Pack(words, 31, packed), "10 words of 31 bits in 40 bytes");
  EXPECT_DEATH(Pack(words, 33, packed), "words of 33 bits");
  EXPECT_DEATH(PackedBytes(10, 0), "words of 0 bits");
}

}  // namespace
}  // namespace flaim::secagg
