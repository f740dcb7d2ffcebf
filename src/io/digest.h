#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

}  // namespace flaim
