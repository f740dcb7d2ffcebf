#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace flaim::secagg {

// Words of `bits` bits without gaps between them: word i is bits [i * bits, (i + 1) * bits) of the bytes, which are
// read as one little-endian number. The spare bits of the last byte are zero.

// REQUIRES: 1 <= bits <= 64.
std::size_t PackedBytes(std::size_t words, int bits);

// Writes the low `bits` bits of each word. REQUIRES: packed.size() == PackedBytes(words.size(), bits), bits at most
// the width of a word.
void Pack(std::span<const std::uint32_t> words, int bits, std::span<std::uint8_t> packed);
void Pack(std::span<const std::uint64_t> words, int bits, std::span<std::uint8_t> packed);

// Adds each packed word to the sum beside it, modulo 2^32 (2^64): what the server does with a vector on arrival.
void AddPacked(std::span<const std::uint8_t> packed, int bits, std::span<std::uint32_t> sums);
void AddPacked(std::span<const std::uint8_t> packed, int bits, std::span<std::uint64_t> sums);

}  // namespace flaim::secagg
