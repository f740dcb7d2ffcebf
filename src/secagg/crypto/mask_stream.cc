#include "secagg/crypto/mask_stream.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "secagg/crypto/key_stream.h"

namespace flaim::secagg {
namespace {

static_assert(std::endian::native == std::endian::little, "the words of a key stream are copied as they stand");

// Small enough that the key stream is still in the first-level cache when it is added.
constexpr std::size_t kBlockBytes = 8192;

template <typename Word>
void AddBlock(const std::uint8_t* mask, MaskSign sign, std::span<Word> words) {
  const auto mask_word = [mask](std::size_t i) {
    Word word;
    std::memcpy(&word, mask + i * sizeof(Word), sizeof(Word));
    return word;
  };
  if (sign == MaskSign::kAdd) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] += mask_word(i);
  } else {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] -= mask_word(i);
  }
}

template <typename Word>
void ApplyMaskInBlocks(MaskCipher cipher, const Secret32& seed, MaskSign sign, std::span<Word> words) {
  KeyStream stream(cipher, seed);
  alignas(64) SecretBytes<kBlockBytes> block;
  while (!words.empty()) {
    const std::size_t count = std::min(words.size(), kBlockBytes / sizeof(Word));
    stream.Next(block.bytes().first(count * sizeof(Word)));
    AddBlock(block.bytes().data(), sign, words.first(count));
    words = words.subspan(count);
  }
}

}  // namespace

void ApplyMask(MaskCipher cipher, const Secret32& seed, MaskSign sign, std::span<std::uint32_t> words) {
  ApplyMaskInBlocks(cipher, seed, sign, words);
}

void ApplyMask(MaskCipher cipher, const Secret32& seed, MaskSign sign, std::span<std::uint64_t> words) {
  ApplyMaskInBlocks(cipher, seed, sign, words);
}

}  // namespace flaim::secagg
