#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "privacy/samplers/chi_squared_testing.h"
#include "secagg/hostile/hostile_testing.h"
#include "secagg/protocol/ring_vector.h"

// What a server sees of a contribution is uniform, whatever is in it: chi-squared tests at kTestAlpha with fixed seeds.

namespace flaim::secagg {
namespace {

constexpr int kEntries = 30'000;

using Words = std::vector<std::uint64_t>;  // each below 2^bits

struct Input {
  std::string name;
  int bits;
  std::int64_t bound;
  int sign;  // every count is sign * bound
  MaskCipher cipher = MaskCipher::kAes128Ctr;
};

// Both participants' vectors, as they are sent in this session.
std::vector<Words> SentVectors(const Input& input, Protocol protocol, std::uint64_t session = 1,
                               std::uint64_t seed = 1) {
  StudyForTest study({.protocol = protocol,
                      .participants = 2,
                      .dropouts = 0,
                      .blocks = {{.entries = kEntries}},
                      .entry_bound = input.bound,
                      .ring_bits = input.bits,
                      .cipher = input.cipher,
                      .seed = seed});
  for (ParticipantId id = 0; id < 2; ++id) {
    std::fill_n(study.CountsOf(id, 0).begin(), kEntries, input.sign * input.bound);
  }
  std::vector<Words> vectors(2);
  const auto server = study.MakeServer(session);
  RunTampered(*server, study.MakeClients(),
              {.to_server = On<Masked>([&](ParticipantId from, Masked& masked) {
                 RingVector packed(input.bits, kEntries);
                 packed.AddPacked(masked.packed);
                 const int unused = 64 - input.bits;
                 for (const std::int64_t word : packed.ToSigned()) {
                   vectors[from].push_back((static_cast<std::uint64_t>(word) << unused) >> unused);
                 }
               })});
  EXPECT_TRUE(server->outcome().ok());
  return vectors;
}

constexpr int kCells = 256;

// The p-value of values in 0 .. 255 against the uniform distribution.
template <typename Cell>
double UniformPValue(std::size_t draws, const Cell& cell) {
  Probabilities uniform;
  for (int i = 0; i < kCells; ++i) uniform[i] = 1.0L / kCells;
  Counts counts;
  for (std::size_t i = 0; i < draws; ++i) ++counts[static_cast<std::int64_t>(cell(i) % kCells)];
  return ChiSquaredPValue(counts, uniform);
}

// The least of several looks at a vector.
double LeastPValue(const Words& words, int bits) {
  const auto nibbles = [&](std::size_t i) { return (words[i] % 16) << 4 | words[i + 1] % 16; };
  const auto high_nibbles = [&](std::size_t i) { return (words[i] >> (bits - 4)) << 4 | words[i + 1] >> (bits - 4); };
  return std::min({UniformPValue(words.size(), [&](std::size_t i) { return words[i]; }),
                   UniformPValue(words.size(), [&](std::size_t i) { return words[i] >> (bits - 8); }),
                   UniformPValue(words.size(), [&](std::size_t i) { return words[i] >> (bits / 2); }),
                   UniformPValue(words.size() - 1, nibbles), UniformPValue(words.size() - 1, high_nibbles)});
}

class MaskedVector : public testing::TestWithParam<Input> {};

TEST_P(MaskedVector, LooksUniform) {
  for (const Words& words : SentVectors(GetParam(), Protocol::kSecure)) {
    EXPECT_GT(LeastPValue(words, GetParam().bits), kTestAlpha);
  }
}

TEST_P(MaskedVector, LooksNothingLikeUniformInTheClear) {
  for (const Words& words : SentVectors(GetParam(), Protocol::kClear)) {
    EXPECT_LT(LeastPValue(words, GetParam().bits), kTestAlpha);
  }
}

// Sums and differences of two vectors, modulo the ring.
void ExpectUnrelated(const Words& one, const Words& other, int bits) {
  const std::uint64_t ring = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  Words sums;
  Words differences;
  for (std::size_t i = 0; i < one.size(); ++i) {
    sums.push_back((one[i] + other[i]) & ring);
    differences.push_back((one[i] - other[i]) & ring);
  }
  EXPECT_GT(LeastPValue(sums, bits), kTestAlpha);
  EXPECT_GT(LeastPValue(differences, bits), kTestAlpha);
}

TEST_P(MaskedVector, IsUnrelatedToThatOfAnotherWithTheSameCounts) {
  const std::vector<Words> vectors = SentVectors(GetParam(), Protocol::kSecure);
  ExpectUnrelated(vectors[0], vectors[1], GetParam().bits);
}

TEST_P(MaskedVector, IsUnrelatedToThatOfAnotherSession) {
  const std::vector<Words> first = SentVectors(GetParam(), Protocol::kSecure, 1, 1);
  const std::vector<Words> second = SentVectors(GetParam(), Protocol::kSecure, 2, 2);
  ExpectUnrelated(first[0], second[0], GetParam().bits);
}

// Even if a broken random source drew the same keys and seeds again: masks are bound to the session.
TEST_P(MaskedVector, IsUnrelatedToThatOfAnotherSessionWithTheSameRandomness) {
  const std::vector<Words> first = SentVectors(GetParam(), Protocol::kSecure, 1);
  const std::vector<Words> second = SentVectors(GetParam(), Protocol::kSecure, 2);
  ExpectUnrelated(first[0], second[0], GetParam().bits);
}

INSTANTIATE_TEST_SUITE_P(Of, MaskedVector,
                         testing::Values(Input{"ZerosIn20Bits", 20, 1000, 0}, Input{"MostIn20Bits", 20, 200'000, 1},
                                         Input{"LeastIn20Bits", 20, 200'000, -1}, Input{"ZerosIn32Bits", 32, 1000, 0},
                                         Input{"MostIn32Bits", 32, 1'000'000'000, 1},
                                         Input{"MostIn32BitsWithChaCha20", 32, 1'000'000'000, 1, MaskCipher::kChaCha20},
                                         Input{"ZerosIn64Bits", 64, 1000, 0},
                                         Input{"LeastIn64Bits", 64, std::int64_t{1} << 61, -1},
                                         Input{"ZerosIn64BitsWithChaCha20", 64, 1000, 0, MaskCipher::kChaCha20}),
                         [](const testing::TestParamInfo<Input>& each) { return each.param.name; });

}  // namespace
}  // namespace flaim::secagg
