#include "secagg/kernels/packing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "base/check.h"

namespace flaim::secagg {
namespace {

static_assert(std::endian::native == std::endian::little, "packed words are copied as they stand");

// A word that starts within a byte lies in the 9 bytes from there.
constexpr std::size_t kWindowBytes = 9;

template <typename Word>
void CheckSizes(std::size_t words, int bits, std::size_t packed_bytes) {
  CHECK(bits >= 1 && bits <= std::numeric_limits<Word>::digits, "words of {} bits", bits);
  CHECK(packed_bytes == PackedBytes(words, bits), "{} words of {} bits in {} bytes", words, bits, packed_bytes);
}

constexpr std::uint64_t LowBits(int bits) { return ~std::uint64_t{0} >> (64 - bits); }

std::uint64_t Load(const std::uint8_t* bytes) {
  std::uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// The 64 bits from `shift`, below 8, of the window.
std::uint64_t ReadWindow(const std::uint8_t* window, std::size_t shift) {
  const std::uint64_t ninth = window[8];
  return (Load(window) >> shift) | ((ninth << 1) << (63 - shift));
}

template <typename Word>
void PackBits(std::span<const Word> words, int bits, std::span<std::uint8_t> packed) {
  const std::uint64_t mask = LowBits(bits);
  std::uint8_t* out = packed.data();
  std::uint64_t pending = 0;
  int pending_bits = 0;
  for (const Word word : words) {
    const std::uint64_t value = word & mask;
    pending |= value << pending_bits;
    pending_bits += bits;
    if (pending_bits >= 64) {
      std::memcpy(out, &pending, sizeof pending);
      out += sizeof pending;
      pending_bits -= 64;
      pending = pending_bits == 0 ? 0 : value >> (bits - pending_bits);
    }
  }
  std::copy_n(reinterpret_cast<const std::uint8_t*>(&pending), packed.data() + packed.size() - out, out);
}

template <typename Word>
void PackWords(std::span<const Word> words, int bits, std::span<std::uint8_t> packed) {
  CheckSizes<Word>(words.size(), bits, packed.size());
  if (words.empty()) return;
  if (bits == std::numeric_limits<Word>::digits) {
    std::memcpy(packed.data(), words.data(), packed.size());
  } else {
    PackBits(words, bits, packed);
  }
}

template <typename Word>
void AddWholeWords(const std::uint8_t* packed, std::span<Word> sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    Word word;
    std::memcpy(&word, packed + i * sizeof(Word), sizeof(Word));
    sums[i] += word;
  }
}

// Eight words fill `bits` bytes, so within a group every word starts at an offset that is known when this is compiled.
constexpr std::size_t kGroup = 8;

template <typename Word, std::size_t kBits>
void AddGroups(const std::uint8_t* packed, std::span<Word> sums) {
  constexpr std::uint64_t kMask = LowBits(static_cast<int>(kBits));
  for (std::size_t i = 0; i < sums.size(); i += kGroup, packed += kBits) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kGroup; ++j) {
      const std::size_t start = j * kBits;
      const std::uint8_t* window = packed + start / 8;
      const bool in_eight_bytes = start % 8 + kBits <= 64;
      const std::uint64_t value = in_eight_bytes ? Load(window) >> (start % 8) : ReadWindow(window, start % 8);
      sums[i + j] += static_cast<Word>(value & kMask);
    }
  }
}

template <typename Word, std::size_t... kBitsMinusOne>
constexpr auto AddGroupsForBits(std::index_sequence<kBitsMinusOne...> /*widths*/) {
  return std::array{&AddGroups<Word, kBitsMinusOne + 1>...};
}

// Every word of a group may read kWindowBytes from its start, which ends at most so far behind the group.
constexpr std::size_t kReadBehindGroup = kWindowBytes - 1;

template <typename Word>
void AddBits(std::span<const std::uint8_t> packed, std::size_t bits, std::span<Word> sums) {
  constexpr auto kAddGroups = AddGroupsForBits<Word>(std::make_index_sequence<std::numeric_limits<Word>::digits>());
  const std::size_t readable = packed.size() - std::min(packed.size(), kReadBehindGroup);
  const std::size_t grouped = std::min(sums.size() / kGroup, readable / bits) * kGroup;
  kAddGroups[bits - 1](packed.data(), sums.first(grouped));
  for (std::size_t i = grouped; i < sums.size(); ++i) {
    const std::size_t start = i * bits;
    const std::span<const std::uint8_t> rest = packed.subspan(start / 8);
    std::array<std::uint8_t, kWindowBytes> window = {};
    std::copy_n(rest.begin(), std::min(rest.size(), window.size()), window.begin());
    sums[i] += static_cast<Word>(ReadWindow(window.data(), start % 8) & LowBits(static_cast<int>(bits)));
  }
}

template <typename Word>
void AddPackedWords(std::span<const std::uint8_t> packed, int bits, std::span<Word> sums) {
  CheckSizes<Word>(sums.size(), bits, packed.size());
  if (bits == std::numeric_limits<Word>::digits) {
    AddWholeWords(packed.data(), sums);
  } else {
    AddBits(packed, static_cast<std::size_t>(bits), sums);
  }
}

}  // namespace

std::size_t PackedBytes(std::size_t words, int bits) {
  CHECK(bits >= 1 && bits <= 64, "words of {} bits", bits);
  return words / 8 * static_cast<std::size_t>(bits) + (words % 8 * static_cast<std::size_t>(bits) + 7) / 8;
}

void Pack(std::span<const std::uint32_t> words, int bits, std::span<std::uint8_t> packed) {
  PackWords(words, bits, packed);
}

void Pack(std::span<const std::uint64_t> words, int bits, std::span<std::uint8_t> packed) {
  PackWords(words, bits, packed);
}

void AddPacked(std::span<const std::uint8_t> packed, int bits, std::span<std::uint32_t> sums) {
  AddPackedWords(packed, bits, sums);
}

void AddPacked(std::span<const std::uint8_t> packed, int bits, std::span<std::uint64_t> sums) {
  AddPackedWords(packed, bits, sums);
}

}  // namespace flaim::secagg
