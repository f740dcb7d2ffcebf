#include "secagg/crypto/key_agreement.h"

#include <gtest/gtest.h>

#include "base/seeded_random_source.h"
#include "secagg/crypto/hex_testing.h"

namespace flaim::secagg {
namespace {

std::string AgreedHex(std::string_view secret, std::string_view public_key) {
  const absl::StatusOr<Secret32> agreed =
      AgreementKey::FromSecret(SecretFromHex(secret)).Agree(ArrayFromHex<32>(public_key));
  return agreed.ok() ? ToHex(agreed->bytes()) : std::string(agreed.status().message());
}

TEST(AgreementKey, GivesTheVectorsOfRfc7748Section52) {
  EXPECT_EQ(AgreedHex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                      "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"),
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552");
  EXPECT_EQ(AgreedHex("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                      "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493"),
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957");
}

TEST(AgreementKey, GivesTheIteratedVectorsOfRfc7748Section52) {
  AgreementPublicKey point = ArrayFromHex<32>("0900000000000000000000000000000000000000000000000000000000000000");
  Secret32 scalar;
  std::copy(point.begin(), point.end(), scalar.bytes().begin());
  for (int iteration = 1; iteration <= 1000; ++iteration) {
    const AgreementKey key = AgreementKey::FromSecret(scalar.Clone());
    absl::StatusOr<Secret32> next = key.Agree(point);
    ASSERT_TRUE(next.ok());
    std::copy(scalar.bytes().begin(), scalar.bytes().end(), point.begin());
    scalar = *std::move(next);
    if (iteration == 1) {
      EXPECT_EQ(ToHex(scalar.bytes()), "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079");
    }
  }
  EXPECT_EQ(ToHex(scalar.bytes()), "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51");
}

TEST(AgreementKey, GivesTheDiffieHellmanOfRfc7748Section61) {
  const AgreementKey alice =
      AgreementKey::FromSecret(SecretFromHex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
  const AgreementKey bob =
      AgreementKey::FromSecret(SecretFromHex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
  EXPECT_EQ(ToHex(alice.public_key()), "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
  EXPECT_EQ(ToHex(bob.public_key()), "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
  const std::string shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";
  EXPECT_EQ(ToHex(alice.Agree(bob.public_key())->bytes()), shared);
  EXPECT_EQ(ToHex(bob.Agree(alice.public_key())->bytes()), shared);
}

// The points of low order of Curve25519 and its twist, in every encoding that RFC 7748 decodes to one of them: it takes
// the number modulo 2^255, so each also occurs with the highest bit set.
TEST(AgreementKey, RefusesEveryPointOfLowOrder) {
  const std::vector<std::string> low_order = {
      "0000000000000000000000000000000000000000000000000000000000000000",  // 0
      "0100000000000000000000000000000000000000000000000000000000000000",  // 1
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",  // order 8
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",  // order 8
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  // p - 1
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  // p
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  // p + 1
  };
  SeededRandomSource random(1);
  const AgreementKey key = AgreementKey::Generate(random);
  for (const std::string& text : low_order) {
    AgreementPublicKey point = ArrayFromHex<32>(text);
    EXPECT_EQ(key.Agree(point).status().code(), absl::StatusCode::kInvalidArgument) << text;
    point[31] |= 0x80;
    EXPECT_EQ(key.Agree(point).status().code(), absl::StatusCode::kInvalidArgument) << text << " with the highest bit";
  }
}

TEST(AgreementKey, AgreesWithItsPartnerAndNobodyElse) {
  SeededRandomSource random(2);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const AgreementKey alice = AgreementKey::Generate(random);
    const AgreementKey bob = AgreementKey::Generate(random);
    const AgreementKey eve = AgreementKey::Generate(random);
    const absl::StatusOr<Secret32> agreed = alice.Agree(bob.public_key());
    ASSERT_TRUE(agreed.ok());
    EXPECT_TRUE(agreed->Equals(*bob.Agree(alice.public_key())));
    EXPECT_FALSE(agreed->Equals(*eve.Agree(alice.public_key())));
    EXPECT_FALSE(agreed->Equals(*eve.Agree(bob.public_key())));
  }
}

TEST(AgreementKey, IsTheSameKeyWhenMadeAgainFromItsSecret) {
  SeededRandomSource random(3);
  const AgreementKey key = AgreementKey::Generate(random);
  EXPECT_EQ(AgreementKey::FromSecret(key.secret().Clone()).public_key(), key.public_key());
}

}  // namespace
}  // namespace flaim::secagg
