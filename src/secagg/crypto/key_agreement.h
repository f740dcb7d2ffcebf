#pragma once

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "secagg/crypto/secret_bytes.h"

namespace flaim::secagg {

// X25519 (RFC 7748) with keys that live for one session.

using AgreementPublicKey = std::array<std::uint8_t, 32>;

class AgreementKey {
 public:
  static AgreementKey Generate(RandomSource& random);
  // As recovered from its shares, or from a published vector.
  static AgreementKey FromSecret(Secret32 secret);

  const AgreementPublicKey& public_key() const { return public_key_; }
  const Secret32& secret() const { return secret_; }

  // The secret that both ends compute. InvalidArgument if the other key is of low order: the secret would then be known
  // to everybody.
  absl::StatusOr<Secret32> Agree(const AgreementPublicKey& other) const;

 private:
  explicit AgreementKey(Secret32 secret);

  Secret32 secret_;
  AgreementPublicKey public_key_{};
};

}  // namespace flaim::secagg
