#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "secagg/crypto/mask_stream.h"
#include "secagg/crypto/secret_bytes.h"

namespace flaim::secagg {

// What the cipher calls its first counter block. AES-128-CTR: a 128-bit big-endian block counter. ChaCha20: a 32-bit
// little-endian block counter and the nonce of RFC 8439.
using CounterBlock = std::array<std::uint8_t, 16>;

// The bytes that a stream cipher adds to its message, here used as a generator. The library's masks start at the zero
// counter block, which is safe because no seed serves twice; other blocks are for published vectors.
class KeyStream {
 public:
  KeyStream(MaskCipher cipher, const Secret32& seed, const CounterBlock& first = {});

  // Writes the next bytes of the stream. REQUIRES: the sizes of all calls but the last are multiples of 64.
  void Next(std::span<std::uint8_t> bytes);

 private:
  struct FreeContext {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  };

  std::unique_ptr<EVP_CIPHER_CTX, FreeContext> context_;
};

}  // namespace flaim::secagg
