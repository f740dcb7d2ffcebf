#pragma once

#include <array>
#include <cstdint>

#include "base/random_source.h"
#include "io/bytes.h"
#include "secagg/crypto/secret_bytes.h"

namespace flaim::secagg {

// Ed25519 (RFC 8032). Who somebody is: the public half is pinned in the roster, the private half never leaves its
// owner. What is signed is always a Digest of a labelled Transcript.

using VerifyingKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

class SigningKey {
 public:
  static SigningKey Generate(RandomSource& random);
  // From the 32-byte seed of RFC 8032. The seed is wiped by its owner.
  static SigningKey FromSeed(const Secret32& seed);

  const VerifyingKey& verifying_key() const { return verifying_key_; }
  Signature Sign(ByteView message) const;

 private:
  SigningKey() = default;

  SecretBytes<64> secret_;
  VerifyingKey verifying_key_{};
};

// False also for keys of low order and signatures that are not canonical.
bool IsSignedBy(const VerifyingKey& key, ByteView message, const Signature& signature);

}  // namespace flaim::secagg
