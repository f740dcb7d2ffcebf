#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

// For tests and benchmarks only: the naive twins of packing.h, bit by bit.
namespace flaim::secagg {

inline void PackNaive(std::span<const std::uint64_t> words, int bits, std::span<std::uint8_t> packed) {
  std::fill(packed.begin(), packed.end(), std::uint8_t{0});
  const auto width = static_cast<std::size_t>(bits);
  for (std::size_t position = 0; position < words.size() * width; ++position) {
    const std::uint64_t bit = (words[position / width] >> (position % width)) & 1;
    packed[position / 8] = static_cast<std::uint8_t>(packed[position / 8] | (bit << (position % 8)));
  }
}

inline void AddPackedNaive(std::span<const std::uint8_t> packed, int bits, std::span<std::uint64_t> sums) {
  const auto width = static_cast<std::size_t>(bits);
  for (std::size_t position = 0; position < sums.size() * width; ++position) {
    const std::uint64_t bit = (packed[position / 8] >> (position % 8)) & 1;
    sums[position / width] += bit << (position % width);
  }
}

}  // namespace flaim::secagg
