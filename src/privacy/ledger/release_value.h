#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace flaim {

// The bytes in which the ledger keeps a released value. Their number depends on public sizes only. Layout, all
// integers little-endian: version (1 byte, 1), kind (1 byte: 1 counts, 2 choice), then
//   counts: how many (8 bytes), each count (8 bytes, two's complement)
//   choice: number of candidates (8 bytes), the chosen one (8 bytes).
//
// A row of the ledger holds no more than this many counts.
inline constexpr std::size_t kMaxReleasedCounts = 32'000'000;

std::vector<std::byte> EncodeCounts(std::span<const std::int64_t> counts);
std::vector<std::byte> EncodeChoice(std::size_t chosen, std::size_t candidates);

// Accepts exactly what the functions above write, for as many counts (candidates) as stated.
absl::StatusOr<std::vector<std::int64_t>> DecodeCounts(std::span<const std::byte> bytes, std::size_t expected_counts);
absl::StatusOr<std::size_t> DecodeChoice(std::span<const std::byte> bytes, std::size_t expected_candidates);

// How many counts (candidates) a well-formed value is about.
absl::StatusOr<std::size_t> CountsIn(std::span<const std::byte> bytes);
absl::StatusOr<std::size_t> CandidatesIn(std::span<const std::byte> bytes);

}  // namespace flaim
