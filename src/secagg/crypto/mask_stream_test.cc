#include "secagg/crypto/mask_stream.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "base/seeded_random_source.h"
#include "secagg/crypto/hex_testing.h"
#include "secagg/crypto/key_stream.h"
#include "secagg/crypto/mask_stream_testing.h"

namespace flaim::secagg {
namespace {

constexpr MaskCipher kCiphers[] = {MaskCipher::kAes128Ctr, MaskCipher::kChaCha20};
constexpr MaskSign kSigns[] = {MaskSign::kAdd, MaskSign::kSubtract};

// What a published cipher text is made of: the message, with the key stream added to it bit by bit.
std::string EncryptedHex(KeyStream stream, ByteView message) {
  Bytes text(message.size());
  stream.Next(text);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] ^= message[i];
  return ToHex(text);
}

Secret32 RandomSeed(RandomSource& random) {
  Secret32 seed;
  random.Fill(std::as_writable_bytes(seed.bytes()));
  return seed;
}

template <typename Word>
std::vector<Word> RandomWords(std::size_t count, RandomSource& random) {
  std::vector<Word> words(count);
  random.Fill(std::as_writable_bytes(std::span(words)));
  return words;
}

template <typename Word>
std::string MaskHex(MaskCipher cipher, const Secret32& seed, std::size_t count) {
  std::vector<Word> words(count);
  ApplyMask(cipher, seed, MaskSign::kAdd, std::span(words));
  Bytes bytes(count * sizeof(Word));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return ToHex(bytes);
}

TEST(KeyStream, GivesTheAes128CtrVectorOfSp80038aSectionF51) {
  EXPECT_EQ(EncryptedHex(KeyStream(MaskCipher::kAes128Ctr, SecretFromHex("2b7e151628aed2a6abf7158809cf4f3c"),
                                   ArrayFromHex<16>("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")),
                         FromHex("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
                                 "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710")),
            "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
            "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee");
}

TEST(KeyStream, GivesTheChaCha20VectorOfRfc8439Section242) {
  EXPECT_EQ(EncryptedHex(
                KeyStream(MaskCipher::kChaCha20,
                          SecretFromHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
                          ArrayFromHex<16>("01000000 000000000000004a00000000")),
                AsBytes("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
                        "sunscreen would be it.")),
            "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b357"
            "1639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
            "5af90bbf74a35be6b40b8eedf2785e42874d");
}

TEST(KeyStream, GoesOnWhereItStopped) {
  SeededRandomSource random(1);
  for (const MaskCipher cipher : kCiphers) {
    const Secret32 seed = RandomSeed(random);
    Bytes whole(64 * 10 + 7);
    KeyStream(cipher, seed).Next(whole);
    Bytes parts(whole.size());
    KeyStream stream(cipher, seed);
    stream.Next(std::span(parts).first(64));
    stream.Next(std::span(parts).subspan(64, 64 * 6));
    stream.Next(std::span(parts).subspan(64 * 7));
    EXPECT_EQ(parts, whole);
  }
}

// RFC 8439, appendix A.1, vector 1.
TEST(ApplyMask, GivesThePublishedChaCha20StreamOfTheZeroKey) {
  EXPECT_EQ(MaskHex<std::uint32_t>(MaskCipher::kChaCha20, Secret32(), 16),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
}

// AES-128 of the blocks 0, 1 and 2 under the zero key, as in test cases 1 and 2 of the GCM specification (McGrew and
// Viega): the hash key, the tag's pad and the first block of cipher text.
TEST(ApplyMask, GivesThePublishedAesBlocksOfTheZeroKey) {
  EXPECT_EQ(MaskHex<std::uint64_t>(MaskCipher::kAes128Ctr, Secret32(), 6),
            "66e94bd4ef8a2c3b884cfa59ca342b2e58e2fccefa7e3061367f1d57a4e7455a0388dace60b6a392f328c2b971b2fe78");
}

template <typename Word>
void ExpectEqualToNaive() {
  SeededRandomSource random(2);
  for (const std::size_t size : {0, 1, 2, 3, 5, 17, 255, 2047, 2048, 2049, 4095, 4096, 4097, 8192, 12345}) {
    for (const MaskCipher cipher : kCiphers) {
      for (const MaskSign sign : kSigns) {
        const Secret32 seed = RandomSeed(random);
        const std::size_t start = random.NextBelow(8);
        std::vector<Word> words = RandomWords<Word>(start + size + 3, random);
        std::vector<Word> expected = words;
        ApplyMask(cipher, seed, sign, std::span(words).subspan(start, size));
        ApplyMaskNaive(cipher, seed, sign, std::span(expected).subspan(start, size));
        EXPECT_EQ(words, expected) << size << " words from " << start;
      }
    }
  }
}

TEST(ApplyMask, EqualsItsNaiveTwinFor32BitWords) { ExpectEqualToNaive<std::uint32_t>(); }
TEST(ApplyMask, EqualsItsNaiveTwinFor64BitWords) { ExpectEqualToNaive<std::uint64_t>(); }

TEST(ApplyMask, CancelsWhenOneAddsWhatTheOtherSubtracts) {
  SeededRandomSource random(3);
  for (const MaskCipher cipher : kCiphers) {
    const Secret32 seed = RandomSeed(random);
    const std::vector<std::uint32_t> words = RandomWords<std::uint32_t>(5000, random);
    std::vector<std::uint32_t> masked = words;
    ApplyMask(cipher, seed, MaskSign::kAdd, std::span(masked));
    EXPECT_NE(masked, words);
    ApplyMask(cipher, seed, MaskSign::kSubtract, std::span(masked));
    EXPECT_EQ(masked, words);
  }
}

TEST(ApplyMask, MasksAShorterVectorWithAPrefix) {
  SeededRandomSource random(4);
  for (const MaskCipher cipher : kCiphers) {
    const Secret32 seed = RandomSeed(random);
    const std::string whole = MaskHex<std::uint64_t>(cipher, seed, 5000);
    for (const std::size_t size : {1, 100, 2048, 4999}) {
      EXPECT_EQ(MaskHex<std::uint64_t>(cipher, seed, size), whole.substr(0, 16 * size));
    }
    EXPECT_EQ(MaskHex<std::uint32_t>(cipher, seed, 10000), whole) << "both widths read the same bytes";
  }
}

TEST(ApplyMask, HasAnotherMaskForAnotherSeedOrCipher) {
  SeededRandomSource random(5);
  const Secret32 seed = RandomSeed(random);
  const Secret32 other = RandomSeed(random);
  for (const MaskCipher cipher : kCiphers) {
    EXPECT_NE(MaskHex<std::uint64_t>(cipher, seed, 2), MaskHex<std::uint64_t>(cipher, other, 2));
  }
  EXPECT_NE(MaskHex<std::uint64_t>(MaskCipher::kAes128Ctr, seed, 2),
            MaskHex<std::uint64_t>(MaskCipher::kChaCha20, seed, 2));
}

}  // namespace
}  // namespace flaim::secagg
