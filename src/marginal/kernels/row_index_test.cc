#include "marginal/kernels/row_index.h"

#include <numeric>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

template <typename Code>
void ExpectExtensionIsMixedRadix(std::uint32_t size) {
  SeededRandomSource random(4);
  for (std::size_t rows = 0; rows < 70; ++rows) {
    const std::size_t first_row = random.NextBelow(5);
    std::vector<Code> codes(first_row + rows + random.NextBelow(3));
    for (Code& code : codes) code = static_cast<Code>(random.NextBelow(size));
    std::vector<std::uint32_t> leading(rows);
    for (std::uint32_t& index : leading) index = static_cast<std::uint32_t>(random.NextBelow((1ULL << 32) / size));
    std::vector<std::uint32_t> expected(rows);
    for (std::size_t i = 0; i < rows; ++i) expected[i] = leading[i] * size + codes[first_row + i];

    std::vector<std::uint32_t> extended(rows);
    ExtendIndices(leading, std::span<const Code>(codes), first_row, size, extended);
    EXPECT_EQ(extended, expected);
    ExtendIndicesInPlace(leading, std::span<const Code>(codes), first_row, size);
    EXPECT_EQ(leading, expected);
  }
}

TEST(ExtendIndices, IsMixedRadixForEveryCodeWidth) {
  ExpectExtensionIsMixedRadix<std::uint8_t>(256);
  ExpectExtensionIsMixedRadix<std::uint16_t>(65536);
  ExpectExtensionIsMixedRadix<std::uint32_t>(70000);
}

TEST(IncrementCells, AddsOnePerIndex) {
  std::vector<std::int64_t> counts = {0, 10, 0, std::int64_t{1} << 40};
  IncrementCells(std::vector<std::uint32_t>{3, 1, 1, 3, 3}, counts);
  EXPECT_EQ(counts, (std::vector<std::int64_t>{0, 12, 0, (std::int64_t{1} << 40) + 3}));
}

}  // namespace
}  // namespace flaim
