#include "secagg/crypto/key_agreement.h"

#include <utility>

#include "base/sodium_library.h"
#include "base/status.h"

namespace flaim::secagg {

static_assert(crypto_scalarmult_BYTES == Secret32::kBytes && crypto_scalarmult_SCALARBYTES == Secret32::kBytes);

AgreementKey::AgreementKey(Secret32 secret) : secret_(std::move(secret)) {
  InitialiseSodium();
  CHECK(crypto_scalarmult_base(public_key_.data(), secret_.bytes().data()) == 0, "X25519 of the base point failed");
}

AgreementKey AgreementKey::Generate(RandomSource& random) {
  Secret32 secret;
  random.Fill(std::as_writable_bytes(secret.bytes()));
  return AgreementKey(std::move(secret));
}

AgreementKey AgreementKey::FromSecret(Secret32 secret) { return AgreementKey(std::move(secret)); }

absl::StatusOr<Secret32> AgreementKey::Agree(const AgreementPublicKey& other) const {
  Secret32 agreed;
  if (crypto_scalarmult(agreed.bytes().data(), secret_.bytes().data(), other.data()) != 0) {
    return InvalidArgument(
        "this public key is a point of low order, which no honest participant has: refuse its sender");
  }
  return agreed;
}

}  // namespace flaim::secagg
