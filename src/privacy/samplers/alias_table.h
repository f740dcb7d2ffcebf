#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random_source.h"

namespace flaim {

// Draws index i with probability widths[i] / 2^64, exactly: the alias method (Walker 1974, Vose 1991) in integers.
// The 2^64 words are cut into 2^b columns of equal size, and each column into two parts that belong to one index each.
class AliasTable {
 public:
  AliasTable() = default;
  // REQUIRES: the widths add up to 2^64; 2 to 2^31 of them.
  explicit AliasTable(std::span<const std::uint64_t> widths);

  std::size_t Sample(RandomSource& random) const {
    const std::uint64_t word = random.NextU64();
    const Column& column = columns_[word >> shift_];
    return word < column.split ? column.below : column.above;
  }

 private:
  // Words of this column under `split` belong to `below`, the others to `above`.
  struct Column {
    std::uint64_t split;
    std::uint32_t below;
    std::uint32_t above;
  };

  std::vector<Column> columns_;
  int shift_ = 63;
};

}  // namespace flaim
