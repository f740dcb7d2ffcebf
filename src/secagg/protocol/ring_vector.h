#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "io/bytes.h"
#include "secagg/crypto/mask_stream.h"

namespace flaim::secagg {

// A vector of integers modulo 2^bits. It is computed with in whole words of 32 or 64 bits, since what is right modulo
// 2^32 is right modulo any smaller power, and cut to `bits` when packed.
class RingVector {
 public:
  // All zero. REQUIRES: 1 <= bits <= 64.
  RingVector(int bits, std::size_t entries);

  int bits() const { return bits_; }
  std::size_t size() const;

  void Add(std::span<const std::int64_t> values);  // REQUIRES: values.size() == size()
  void Add(const RingVector& other);               // REQUIRES: the same bits and size
  void Apply(MaskCipher cipher, const Secret32& seed, MaskSign sign);
  // REQUIRES: packed.size() == PackedBytes(size(), bits()).
  void AddPacked(ByteView packed);

  Bytes Pack() const;
  // Each entry as the number in [-2^(bits-1), 2^(bits-1)) that it stands for.
  std::vector<std::int64_t> ToSigned() const;

 private:
  int bits_;
  std::variant<std::vector<std::uint32_t>, std::vector<std::uint64_t>> words_;
};

}  // namespace flaim::secagg
