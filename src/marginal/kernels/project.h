#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace flaim {

// Sums out one axis of a row-major array of shape [outer, size, inner]: out[o, i] = sum over s of counts[o, s, i].
// REQUIRES: out.size() * size == counts.size(), and inner divides out.size(). Overwrites `out`.
void SumOutAxis(std::span<const std::int64_t> counts, std::int64_t size, std::int64_t inner,
                std::span<std::int64_t> out);

// Keeps the axes with kept[axis] of a row-major array with the given sizes, and sums out the others, first axis first:
// then the largest sums run along contiguous memory.
std::vector<std::int64_t> ProjectCounts(std::span<const std::int64_t> counts, std::span<const std::int64_t> sizes,
                                        const std::vector<bool>& kept);

}  // namespace flaim
