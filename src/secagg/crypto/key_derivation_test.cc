#include "secagg/crypto/key_derivation.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "secagg/crypto/hex_testing.h"

namespace flaim::secagg {
namespace {

// The bytes first, first + 1, ..., last.
Bytes Range(std::uint8_t first, std::uint8_t last) {
  Bytes bytes(static_cast<std::size_t>(last) - first + 1);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

std::string DerivedHex(ByteView secret, ByteView salt, ByteView purpose, std::size_t size) {
  Bytes key(size);
  DeriveKey(secret, salt, purpose, key);
  return ToHex(key);
}

TEST(DeriveKey, GivesTestCase1OfRfc5869) {
  EXPECT_EQ(DerivedHex(Bytes(22, 0x0b), Range(0x00, 0x0c), Range(0xf0, 0xf9), 42),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
}

TEST(DeriveKey, GivesTestCase2OfRfc5869) {
  EXPECT_EQ(DerivedHex(Range(0x00, 0x4f), Range(0x60, 0xaf), Range(0xb0, 0xff), 82),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
            "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87");
}

TEST(DeriveKey, GivesTestCase3OfRfc5869) {
  EXPECT_EQ(DerivedHex(Bytes(22, 0x0b), {}, {}, 42),
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
}

TEST(DeriveKey32, IsTheFirst32BytesOfDeriveKey) {
  const Secret32 secret = SecretFromHex("0102030405");
  EXPECT_EQ(ToHex(DeriveKey32(secret, AsBytes("session"), AsBytes("mask")).bytes()),
            DerivedHex(secret.bytes(), AsBytes("session"), AsBytes("mask"), 32));
}

TEST(DeriveKey32, GivesAnotherKeyForAnotherSecretSaltOrPurpose) {
  const Secret32 secret = SecretFromHex("01");
  std::set<std::string> keys;
  keys.insert(ToHex(DeriveKey32(secret, AsBytes("session"), AsBytes("mask")).bytes()));
  keys.insert(ToHex(DeriveKey32(SecretFromHex("02"), AsBytes("session"), AsBytes("mask")).bytes()));
  keys.insert(ToHex(DeriveKey32(secret, AsBytes("another"), AsBytes("mask")).bytes()));
  keys.insert(ToHex(DeriveKey32(secret, AsBytes("session"), AsBytes("box")).bytes()));
  keys.insert(ToHex(DeriveKey32(secret, AsBytes("sessionm"), AsBytes("ask")).bytes()));
  EXPECT_EQ(keys.size(), 5U);
}

}  // namespace
}  // namespace flaim::secagg
