#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "secagg/crypto/secret_bytes.h"

namespace flaim::secagg {

// The generator that stretches a seed into a mask as long as the vector.
enum class MaskCipher : std::uint8_t {
  kAes128Ctr = 0,  // the first 16 bytes of the seed are the key; fast where the processor has AES
  kChaCha20 = 1,   // for processors without; RFC 8439, block counter from 0
};

// Which way a mask goes into the sum. Of a pair, one adds what the other subtracts.
enum class MaskSign : std::uint8_t { kAdd, kSubtract };

// Adds the mask of `seed` to `words`, or subtracts it, modulo 2^32 (2^64). Word i of the mask is the i-th little-endian
// word of the cipher's key stream, so the mask of a shorter vector is a prefix. A seed is for one vector: two vectors
// under one mask reveal their difference.
void ApplyMask(MaskCipher cipher, const Secret32& seed, MaskSign sign, std::span<std::uint32_t> words);
void ApplyMask(MaskCipher cipher, const Secret32& seed, MaskSign sign, std::span<std::uint64_t> words);

}  // namespace flaim::secagg
