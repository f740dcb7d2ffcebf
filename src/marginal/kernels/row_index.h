#pragma once

#include <cstdint>
#include <span>

#include "data/table/table.h"

namespace flaim {

// Index arithmetic on a run of rows, 32 bits a row so that it vectorises. A row's index in a marginal is its
// mixed-radix number: for each attribute in turn, index = index * size + code.

// out[i] = leading[i] * size + codes[first_row + i]. REQUIRES: the two do not overlap; the results are below 2^32.
void ExtendIndices(std::span<const std::uint32_t> leading, const CodeSpan& codes, std::size_t first_row,
                   std::uint32_t size, std::span<std::uint32_t> out);

// The same in place: indices[i] = indices[i] * size + codes[first_row + i].
void ExtendIndicesInPlace(std::span<std::uint32_t> indices, const CodeSpan& codes, std::size_t first_row,
                          std::uint32_t size);

// ++counts[index] for each index. REQUIRES: every index is below counts.size().
void IncrementCells(std::span<const std::uint32_t> indices, std::span<std::int64_t> counts);

}  // namespace flaim
