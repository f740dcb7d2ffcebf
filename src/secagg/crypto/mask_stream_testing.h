#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "secagg/crypto/key_stream.h"
#include "secagg/crypto/mask_stream.h"

// For tests and benchmarks only: the naive twin, one word at a time from one long key stream.
namespace flaim::secagg {

template <typename Word>
void ApplyMaskNaive(MaskCipher cipher, const Secret32& seed, MaskSign sign, std::span<Word> words) {
  std::vector<std::uint8_t> mask(words.size_bytes());
  KeyStream(cipher, seed).Next(mask);
  for (std::size_t i = 0; i < words.size(); ++i) {
    Word word = 0;
    for (std::size_t byte = 0; byte < sizeof(Word); ++byte) {
      word |= static_cast<Word>(mask[i * sizeof(Word) + byte]) << (8 * byte);
    }
    words[i] = sign == MaskSign::kAdd ? words[i] + word : words[i] - word;
  }
}

}  // namespace flaim::secagg
