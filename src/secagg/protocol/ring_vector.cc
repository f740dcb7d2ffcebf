#include "secagg/protocol/ring_vector.h"

#include "base/check.h"
#include "secagg/kernels/packing.h"

namespace flaim::secagg {

RingVector::RingVector(int bits, std::size_t entries) : bits_(bits) {
  CHECK(1 <= bits && bits <= 64);
  if (bits <= 32) {
    words_.emplace<std::vector<std::uint32_t>>(entries);
  } else {
    words_.emplace<std::vector<std::uint64_t>>(entries);
  }
}

std::size_t RingVector::size() const {
  return std::visit([](const auto& words) { return words.size(); }, words_);
}

void RingVector::Add(std::span<const std::int64_t> values) {
  CHECK(values.size() == size());
  std::visit(
      [values](auto& words) {
        using Word = typename std::decay_t<decltype(words)>::value_type;
        for (std::size_t i = 0; i < values.size(); ++i) words[i] += static_cast<Word>(values[i]);
      },
      words_);
}

void RingVector::Add(const RingVector& other) {
  CHECK(other.bits_ == bits_ && other.size() == size());
  std::visit(
      [&other](auto& words) {
        const auto& addends = std::get<std::decay_t<decltype(words)>>(other.words_);
        for (std::size_t i = 0; i < words.size(); ++i) words[i] += addends[i];
      },
      words_);
}

void RingVector::Apply(MaskCipher cipher, const Secret32& seed, MaskSign sign) {
  std::visit([&](auto& words) { ApplyMask(cipher, seed, sign, std::span(words)); }, words_);
}

void RingVector::AddPacked(ByteView packed) {
  CHECK(packed.size() == PackedBytes(size(), bits_));
  std::visit([&](auto& words) { secagg::AddPacked(packed, bits_, std::span(words)); }, words_);
}

Bytes RingVector::Pack() const {
  Bytes packed(PackedBytes(size(), bits_));
  std::visit(
      [&](const auto& words) {
        using Word = typename std::decay_t<decltype(words)>::value_type;
        secagg::Pack(std::span<const Word>(words), bits_, packed);
      },
      words_);
  return packed;
}

std::vector<std::int64_t> RingVector::ToSigned() const {
  const int unused = 64 - bits_;
  return std::visit(
      [unused](const auto& words) {
        std::vector<std::int64_t> values;
        values.reserve(words.size());
        for (const std::uint64_t word : words) {
          values.push_back(static_cast<std::int64_t>(word << unused) >> unused);
        }
        return values;
      },
      words_);
}

}  // namespace flaim::secagg
