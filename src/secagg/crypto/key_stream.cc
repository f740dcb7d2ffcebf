#include "secagg/crypto/key_stream.h"

#include <algorithm>

#include "base/check.h"

namespace flaim::secagg {
namespace {

// The message that is encrypted, piece by piece: a cipher's key stream is what it makes of zeros. As small as a piece
// may be before OpenSSL's calls are felt, so that it leaves room in the first-level cache.
alignas(64) constexpr std::array<std::uint8_t, 8192> kZeros = {};

// Looked up once: OpenSSL searches its providers by name.
const EVP_CIPHER* Cipher(MaskCipher cipher) {
  static const EVP_CIPHER* const aes = EVP_CIPHER_fetch(nullptr, "AES-128-CTR", nullptr);
  static const EVP_CIPHER* const chacha = EVP_CIPHER_fetch(nullptr, "ChaCha20", nullptr);
  const EVP_CIPHER* const found = cipher == MaskCipher::kAes128Ctr ? aes : chacha;
  CHECK(found != nullptr, "this OpenSSL lacks the mask cipher {}", static_cast<int>(cipher));
  return found;
}

}  // namespace

KeyStream::KeyStream(MaskCipher cipher, const Secret32& seed, const CounterBlock& first)
    : context_(EVP_CIPHER_CTX_new()) {
  CHECK(context_ != nullptr, "OpenSSL has no memory");
  CHECK(EVP_EncryptInit_ex2(context_.get(), Cipher(cipher), seed.bytes().data(), first.data(), nullptr) == 1,
        "OpenSSL does not start the mask cipher {}", static_cast<int>(cipher));
}

void KeyStream::Next(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::span<std::uint8_t> part = bytes.first(std::min(bytes.size(), kZeros.size()));
    int written = 0;
    const int result =
        EVP_EncryptUpdate(context_.get(), part.data(), &written, kZeros.data(), static_cast<int>(part.size()));
    CHECK(result == 1 && static_cast<std::size_t>(written) == part.size(), "OpenSSL's key stream stopped");
    bytes = bytes.subspan(part.size());
  }
}

}  // namespace flaim::secagg
