#include "secagg/crypto/signature.h"

#include <gtest/gtest.h>

#include "base/seeded_random_source.h"
#include "secagg/crypto/hex_testing.h"

namespace flaim::secagg {
namespace {

struct PublishedSignature {
  std::string seed;
  std::string key;
  std::string message;
  std::string signature;
};

// RFC 8032, section 7.1: tests 1, 2, 3 and SHA(abc).
const std::vector<PublishedSignature>& Rfc8032() {
  static const std::vector<PublishedSignature> vectors = {
      {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
       "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
       "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
       "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
      {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
       "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
       "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
       "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
      {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
       "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
       "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
       "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
      {"833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
       "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
       "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
       "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
       "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
       "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"},
  };
  return vectors;
}

TEST(SigningKey, GivesTheVectorsOfRfc8032) {
  for (const PublishedSignature& vector : Rfc8032()) {
    const SigningKey key = SigningKey::FromSeed(SecretFromHex(vector.seed));
    EXPECT_EQ(ToHex(key.verifying_key()), vector.key);
    EXPECT_EQ(ToHex(key.Sign(FromHex(vector.message))), vector.signature);
  }
}

TEST(IsSignedBy, AcceptsTheVectorsOfRfc8032) {
  for (const PublishedSignature& vector : Rfc8032()) {
    EXPECT_TRUE(IsSignedBy(ArrayFromHex<32>(vector.key), FromHex(vector.message), ArrayFromHex<64>(vector.signature)));
  }
}

TEST(IsSignedBy, RefusesAnyOtherMessageKeyOrSignature) {
  SeededRandomSource random(1);
  const SigningKey key = SigningKey::Generate(random);
  const SigningKey other = SigningKey::Generate(random);
  Bytes message = FromHex("00112233445566778899aabbccddeeff");
  const Signature signature = key.Sign(message);
  ASSERT_TRUE(IsSignedBy(key.verifying_key(), message, signature));
  EXPECT_FALSE(IsSignedBy(other.verifying_key(), message, signature));
  EXPECT_FALSE(IsSignedBy(key.verifying_key(), message, other.Sign(message)));
  for (std::size_t bit = 0; bit < 8 * signature.size(); ++bit) {
    Signature changed = signature;
    changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_FALSE(IsSignedBy(key.verifying_key(), message, changed)) << "bit " << bit;
  }
  for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) {
    message[bit / 8] = static_cast<std::uint8_t>(message[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_FALSE(IsSignedBy(key.verifying_key(), message, signature)) << "bit " << bit;
    message[bit / 8] = static_cast<std::uint8_t>(message[bit / 8] ^ (1U << (bit % 8)));
  }
}

// Adding the group's order to S gives a second text that solves the same equation.
TEST(IsSignedBy, RefusesAnSThatIsNotCanonical) {
  const std::array<std::uint8_t, 32> order =
      ArrayFromHex<32>("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
  for (const PublishedSignature& vector : Rfc8032()) {
    Signature signature = ArrayFromHex<64>(vector.signature);
    unsigned carry = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      carry += signature[32 + i] + unsigned{order[i]};
      signature[32 + i] = static_cast<std::uint8_t>(carry & 0xff);
      carry >>= 8;
    }
    ASSERT_EQ(carry, 0U);
    EXPECT_FALSE(IsSignedBy(ArrayFromHex<32>(vector.key), FromHex(vector.message), signature));
  }
}

// Under a key A of order 1, 2, 4 or 8, the pair (s B, s) solves the equation s B = R + h A for every message, or for
// every second, fourth or eighth: the owner of such a key could say later that it signed something else.
TEST(IsSignedBy, RefusesKeysOfLowOrder) {
  const std::vector<std::string> low_order = {
      "0100000000000000000000000000000000000000000000000000000000000000",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0000000000000000000000000000000000000000000000000000000000000080",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  };
  Signature forged = {};
  forged[32] = 5;
  ASSERT_EQ(crypto_scalarmult_ed25519_base_noclamp(forged.data(), forged.data() + 32), 0);
  for (const std::string& key : low_order) {
    for (std::uint8_t message = 0; message < 64; ++message) {
      EXPECT_FALSE(IsSignedBy(ArrayFromHex<32>(key), ByteView(&message, 1), forged)) << key;
    }
  }
}

}  // namespace
}  // namespace flaim::secagg
