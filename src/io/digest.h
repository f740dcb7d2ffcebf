#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/sodium_library.h"
#include "io/bytes.h"
#include "sodium.h"

namespace flaim {

// SHA-256 of something public.
using Digest = std::array<std::uint8_t, 32>;

// Hashes a labelled list of fields. Every field is preceded by its length, so no two lists hash alike because their
// bytes run into each other, and no two purposes because their labels differ.
class Transcript {
 public:
  explicit Transcript(std::string_view label);

  Transcript& Add(ByteView field);
  Transcript& Add(std::uint64_t number);

  Digest Finish();

 private:
  crypto_hash_sha256_state state_;
};

// Plain SHA-256.
Digest Sha256(ByteView message);

// BLAKE2b with a digest of kBytes, of bytes that may come piece by piece: checksums of files, rows of the ledger, short
// names. A shorter digest is not the beginning of a longer one.
template <std::size_t kBytes>
class Blake2b {
 public:
  Blake2b() {
    InitialiseSodium();
    crypto_generichash_init(&state_, nullptr, 0, kBytes);
  }

  Blake2b& Add(ByteView bytes) {
    crypto_generichash_update(&state_, bytes.data(), bytes.size());
    return *this;
  }

  std::array<std::uint8_t, kBytes> Finish() {
    std::array<std::uint8_t, kBytes> digest;
    crypto_generichash_final(&state_, digest.data(), digest.size());
    return digest;
  }

 private:
  static_assert(kBytes >= crypto_generichash_BYTES_MIN && kBytes <= crypto_generichash_BYTES_MAX);
  crypto_generichash_state state_;
};

}  // namespace flaim
