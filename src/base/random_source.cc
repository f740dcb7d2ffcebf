#include "base/random_source.h"

#include <algorithm>

#include "base/int128.h"

namespace flaim {

std::uint64_t RandomSource::NextBelow(std::uint64_t bound) {
  CHECK(bound > 0);
  // Lemire's multiply-shift: the high word of draw * bound is uniform once draws whose low word falls into the first
  // (2^64 mod bound) values are rejected.
  UInt128 product = static_cast<UInt128>(NextU64()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t rejected_below = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < rejected_below) {
      product = static_cast<UInt128>(NextU64()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

void RandomSource::Fill(std::span<std::byte> out) {
  while (!out.empty()) {
    const std::uint64_t word = NextU64();
    const std::size_t count = std::min(out.size(), sizeof word);
    std::memcpy(out.data(), &word, count);
    out = out.subspan(count);
  }
}

}  // namespace flaim
