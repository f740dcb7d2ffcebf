#include "secagg/protocol/ring_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "base/seeded_random_source.h"

namespace flaim::secagg {
namespace {

std::vector<std::int64_t> RandomValues(SeededRandomSource& random, int bits, std::size_t size) {
  std::vector<std::int64_t> values(size);
  for (std::int64_t& value : values) value = static_cast<std::int64_t>(random.NextU64()) >> (64 - bits);
  return values;
}

TEST(RingVector, GivesBackWhatFitsIntoItsBits) {
  SeededRandomSource random(1);
  for (int bits = 1; bits <= 64; ++bits) {
    const std::vector<std::int64_t> values = RandomValues(random, bits, 33);
    RingVector vector(bits, values.size());
    vector.Add(values);
    EXPECT_EQ(vector.ToSigned(), values) << bits << " bits";
    RingVector received(bits, values.size());
    received.AddPacked(vector.Pack());
    EXPECT_EQ(received.ToSigned(), values) << bits << " bits";
  }
}

TEST(RingVector, WrapsAroundAtItsEdges) {
  RingVector vector(8, 2);
  vector.Add(std::vector<std::int64_t>{127, -128});
  vector.Add(std::vector<std::int64_t>{1, -1});
  EXPECT_EQ(vector.ToSigned(), (std::vector<std::int64_t>{-128, 127}));
}

TEST(RingVector, AddsPackedVectorsAsIntegersOfItsBits) {
  SeededRandomSource random(2);
  for (const int bits : {1, 7, 20, 31, 32, 33, 48, 63, 64}) {
    RingVector sum(bits, 100);
    std::vector<std::uint64_t> expected(100);
    for (int contributor = 0; contributor < 50; ++contributor) {
      const std::vector<std::int64_t> values = RandomValues(random, bits, 100);
      RingVector contribution(bits, 100);
      contribution.Add(values);
      sum.AddPacked(contribution.Pack());
      for (std::size_t i = 0; i < 100; ++i) expected[i] += static_cast<std::uint64_t>(values[i]);
    }
    const std::vector<std::int64_t> sums = sum.ToSigned();
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(sums[i], static_cast<std::int64_t>(expected[i] << (64 - bits)) >> (64 - bits)) << bits << " bits";
    }
  }
}

TEST(RingVector, LosesAMaskThatIsTakenOutAgain) {
  SeededRandomSource random(3);
  Secret32 seed;
  random.Fill(std::as_writable_bytes(std::span(seed.bytes())));
  for (const int bits : {12, 32, 40, 64}) {
    for (const MaskCipher cipher : {MaskCipher::kAes128Ctr, MaskCipher::kChaCha20}) {
      const std::vector<std::int64_t> values = RandomValues(random, bits, 1000);
      RingVector vector(bits, values.size());
      vector.Add(values);
      vector.Apply(cipher, seed, MaskSign::kAdd);
      EXPECT_NE(vector.ToSigned(), values);
      RingVector received(bits, values.size());
      received.AddPacked(vector.Pack());
      received.Apply(cipher, seed, MaskSign::kSubtract);
      EXPECT_EQ(received.ToSigned(), values);
    }
  }
}

}  // namespace
}  // namespace flaim::secagg
