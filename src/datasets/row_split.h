#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random_source.h"

namespace flaim {

// What becomes of a row of a dataset.
enum class RowUse : std::uint32_t { kTrain, kTest, kUnused };
inline constexpr std::size_t kRowUses = 3;

// The test rows among so many: a tenth, to the nearest.
std::size_t TestRows(std::size_t used);

// Draws `used` of the rows without replacement and sets a tenth of them apart: each way is equally likely. The values
// of RowUse as numbers, one for each row, as Table::SplitBy() takes them. REQUIRES: used <= rows < 2^32.
std::vector<std::uint32_t> DrawSplit(std::size_t rows, std::size_t used, RandomSource& random);

}  // namespace flaim
