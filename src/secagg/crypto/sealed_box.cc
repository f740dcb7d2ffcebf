#include "secagg/crypto/sealed_box.h"

#include "base/sodium_library.h"
#include "base/status.h"

namespace flaim::secagg {
namespace {

static_assert(crypto_aead_xchacha20poly1305_ietf_ABYTES == kSealBytes &&
              crypto_aead_xchacha20poly1305_ietf_KEYBYTES == Secret32::kBytes &&
              crypto_aead_xchacha20poly1305_ietf_NPUBBYTES == sizeof(internal::BoxNonce));

constexpr internal::BoxNonce kOnlyNonce = {};

}  // namespace

Bytes internal::SealWithNonce(const Secret32& key, const BoxNonce& nonce, ByteView context, ByteView message) {
  InitialiseSodium();
  Bytes box(message.size() + kSealBytes);
  crypto_aead_xchacha20poly1305_ietf_encrypt(box.data(), nullptr, message.data(), message.size(), context.data(),
                                             context.size(), nullptr, nonce.data(), key.bytes().data());
  return box;
}

Bytes Seal(const Secret32& key, ByteView context, ByteView message) {
  return internal::SealWithNonce(key, kOnlyNonce, context, message);
}

absl::Status Open(const Secret32& key, ByteView context, ByteView box, std::span<std::uint8_t> message) {
  InitialiseSodium();
  if (box.size() < kSealBytes)
    return InvalidArgument("a sealed box has at least {} bytes; this one was cut", kSealBytes);
  CHECK(message.size() == box.size() - kSealBytes, "room for {} bytes, a box of {}", message.size(), box.size());
  const int result =
      crypto_aead_xchacha20poly1305_ietf_decrypt(message.data(), nullptr, nullptr, box.data(), box.size(),
                                                 context.data(), context.size(), kOnlyNonce.data(), key.bytes().data());
  if (result == 0) return absl::OkStatus();
  sodium_memzero(message.data(), message.size());
  return InvalidArgument(
      "a sealed box does not open: it was changed, or sealed with another key or in another context");
}

}  // namespace flaim::secagg
