#include "marginal/kernels/row_index.h"

#include <variant>

#include "base/check.h"

namespace flaim {
namespace {

// Baseline x86-64 has no 32-bit vector multiplication: with AVX2 these loops run about four times faster, which is a
// fifth to a third of the whole count. So each is compiled twice from one body, and the processor is asked once.
#if defined(__x86_64__)
#define FLAIM_AVX2 __attribute__((target("avx2")))
const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#else
#define FLAIM_AVX2
const bool has_avx2 = false;
#endif

template <typename Code>
[[gnu::always_inline]] inline void Extend(const std::uint32_t* __restrict leading, const Code* __restrict codes,
                                          std::uint32_t size, std::span<std::uint32_t> out) {
  std::uint32_t* __restrict indices = out.data();
  for (std::size_t i = 0; i < out.size(); ++i) indices[i] = leading[i] * size + codes[i];
}

template <typename Code>
[[gnu::always_inline]] inline void ExtendInPlace(const Code* __restrict codes, std::uint32_t size,
                                                 std::span<std::uint32_t> out) {
  std::uint32_t* __restrict indices = out.data();
  for (std::size_t i = 0; i < out.size(); ++i) indices[i] = indices[i] * size + codes[i];
}

template <typename Code>
FLAIM_AVX2 void ExtendAvx2(const std::uint32_t* leading, const Code* codes, std::uint32_t size,
                           std::span<std::uint32_t> out) {
  Extend(leading, codes, size, out);
}

template <typename Code>
FLAIM_AVX2 void ExtendInPlaceAvx2(const Code* codes, std::uint32_t size, std::span<std::uint32_t> out) {
  ExtendInPlace(codes, size, out);
}

}  // namespace

void ExtendIndices(std::span<const std::uint32_t> leading, const CodeSpan& codes, std::size_t first_row,
                   std::uint32_t size, std::span<std::uint32_t> out) {
  CHECK(leading.size() == out.size());
  std::visit(
      [&](auto column) {
        const auto* run = column.subspan(first_row, out.size()).data();
        has_avx2 ? ExtendAvx2(leading.data(), run, size, out) : Extend(leading.data(), run, size, out);
      },
      codes);
}

void ExtendIndicesInPlace(std::span<std::uint32_t> indices, const CodeSpan& codes, std::size_t first_row,
                          std::uint32_t size) {
  std::visit(
      [&](auto column) {
        const auto* run = column.subspan(first_row, indices.size()).data();
        has_avx2 ? ExtendInPlaceAvx2(run, size, indices) : ExtendInPlace(run, size, indices);
      },
      codes);
}

void IncrementCells(std::span<const std::uint32_t> indices, std::span<std::int64_t> counts) {
  for (const std::uint32_t index : indices) ++counts[index];
}

}  // namespace flaim
