#include "privacy/samplers/alias_table.h"

#include <bit>

#include "base/check.h"
#include "base/int128.h"

namespace flaim {
namespace {

void CheckTotal(std::span<const std::uint64_t> widths) {
  UInt128 total = 0;
  for (const std::uint64_t width : widths) total += width;
  CHECK(total == UInt128{1} << 64, "the widths do not add up to 2^64");
}

}  // namespace

AliasTable::AliasTable(std::span<const std::uint64_t> widths) {
  CHECK(2 <= widths.size() && widths.size() <= (std::size_t{1} << 31));
  CheckTotal(widths);
  const auto column_bits = static_cast<int>(std::bit_width(widths.size() - 1));
  const std::size_t column_count = std::size_t{1} << column_bits;
  shift_ = 64 - column_bits;
  const std::uint64_t column_width = std::uint64_t{1} << shift_;

  std::vector<std::uint64_t> left(widths.begin(), widths.end());
  left.resize(column_count, 0);
  std::vector<std::uint32_t> short_of_a_column;
  std::vector<std::uint32_t> at_least_a_column;
  for (std::uint32_t index = 0; index < column_count; ++index) {
    (left[index] < column_width ? short_of_a_column : at_least_a_column).push_back(index);
  }

  // A short index gets its own column, and an index that has plenty fills it up. The average is one column each, so
  // when nobody is short any more, everybody left owns exactly one column.
  columns_.resize(column_count);
  while (!short_of_a_column.empty()) {
    const std::uint32_t below = short_of_a_column.back();
    const std::uint32_t above = at_least_a_column.back();
    short_of_a_column.pop_back();
    columns_[below] = {.split = (std::uint64_t{below} << shift_) + left[below], .below = below, .above = above};
    left[above] -= column_width - left[below];
    if (left[above] < column_width) {
      at_least_a_column.pop_back();
      short_of_a_column.push_back(above);
    }
  }
  for (const std::uint32_t index : at_least_a_column) {
    columns_[index] = {.split = std::uint64_t{index} << shift_, .below = index, .above = index};
  }
}

}  // namespace flaim
