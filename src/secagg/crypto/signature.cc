#include "secagg/crypto/signature.h"

#include "base/sodium_library.h"

namespace flaim::secagg {

static_assert(crypto_sign_SEEDBYTES == Secret32::kBytes && crypto_sign_SECRETKEYBYTES == 64 &&
              crypto_sign_BYTES == sizeof(Signature) && crypto_sign_PUBLICKEYBYTES == sizeof(VerifyingKey));

SigningKey SigningKey::Generate(RandomSource& random) {
  Secret32 seed;
  random.Fill(std::as_writable_bytes(seed.bytes()));
  return FromSeed(seed);
}

SigningKey SigningKey::FromSeed(const Secret32& seed) {
  InitialiseSodium();
  SigningKey key;
  crypto_sign_seed_keypair(key.verifying_key_.data(), key.secret_.bytes().data(), seed.bytes().data());
  return key;
}

Signature SigningKey::Sign(ByteView message) const {
  Signature signature;
  crypto_sign_detached(signature.data(), nullptr, message.data(), message.size(), secret_.bytes().data());
  return signature;
}

bool IsSignedBy(const VerifyingKey& key, ByteView message, const Signature& signature) {
  InitialiseSodium();
  return crypto_sign_verify_detached(signature.data(), message.data(), message.size(), key.data()) == 0;
}

}  // namespace flaim::secagg
