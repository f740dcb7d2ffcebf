#include "privacy/ledger/release_value.h"

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

constexpr std::byte kVersion{1};
constexpr std::byte kCounts{1};
constexpr std::byte kChoice{2};
constexpr std::size_t kHeaderBytes = 2 + 8;

void AppendWord(std::vector<std::byte>& bytes, std::uint64_t word) {
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(word >> (8 * i)));
}

std::uint64_t WordAt(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word |= std::to_integer<std::uint64_t>(bytes[offset + i]) << (8 * i);
  return word;
}

absl::StatusOr<std::size_t> SizeOf(std::span<const std::byte> bytes, std::byte kind) {
  if (bytes.size() < kHeaderBytes) return DataLoss("the recorded value is cut short");
  if (bytes[0] != kVersion)
    return DataLoss("the recorded value has version {}; 1 is known", static_cast<int>(bytes[0]));
  if (bytes[1] != kind) return DataLoss("the recorded value is of another kind than the mechanism releases");
  return WordAt(bytes, 2);
}

absl::Status CheckSize(std::size_t recorded, std::size_t expected, std::string_view what) {
  if (recorded == expected) return absl::OkStatus();
  return FailedPrecondition(
      "the recorded value is about {} {}, but {} were expected: was the query changed? Use "
      "another run name for another query",
      recorded, what, expected);
}

}  // namespace

std::vector<std::byte> EncodeCounts(std::span<const std::int64_t> counts) {
  std::vector<std::byte> bytes = {kVersion, kCounts};
  bytes.reserve(kHeaderBytes + 8 * counts.size());
  AppendWord(bytes, counts.size());
  for (const std::int64_t count : counts) AppendWord(bytes, static_cast<std::uint64_t>(count));
  return bytes;
}

std::vector<std::byte> EncodeChoice(std::size_t chosen, std::size_t candidates) {
  CHECK(chosen < candidates, "candidate {} of {}", chosen, candidates);
  std::vector<std::byte> bytes = {kVersion, kChoice};
  AppendWord(bytes, candidates);
  AppendWord(bytes, chosen);
  return bytes;
}

absl::StatusOr<std::size_t> CountsIn(std::span<const std::byte> bytes) {
  ASSIGN_OR_RETURN(const std::size_t size, SizeOf(bytes, kCounts));
  const std::size_t held = (bytes.size() - kHeaderBytes) / 8;
  if (size != held || bytes.size() != kHeaderBytes + 8 * held) {
    return DataLoss("the recorded value has {} bytes, which do not hold the stated number of counts", bytes.size());
  }
  return size;
}

absl::StatusOr<std::size_t> CandidatesIn(std::span<const std::byte> bytes) {
  ASSIGN_OR_RETURN(const std::size_t size, SizeOf(bytes, kChoice));
  if (bytes.size() != kHeaderBytes + 8) return DataLoss("the recorded choice has {} bytes", bytes.size());
  if (WordAt(bytes, kHeaderBytes) >= size) return DataLoss("the recorded choice is none of its candidates");
  return size;
}

absl::StatusOr<std::vector<std::int64_t>> DecodeCounts(std::span<const std::byte> bytes, std::size_t expected_counts) {
  ASSIGN_OR_RETURN(const std::size_t size, CountsIn(bytes));
  RETURN_IF_ERROR(CheckSize(size, expected_counts, "counts"));
  std::vector<std::int64_t> counts(size);
  for (std::size_t i = 0; i < size; ++i) counts[i] = static_cast<std::int64_t>(WordAt(bytes, kHeaderBytes + 8 * i));
  return counts;
}

absl::StatusOr<std::size_t> DecodeChoice(std::span<const std::byte> bytes, std::size_t expected_candidates) {
  ASSIGN_OR_RETURN(const std::size_t size, CandidatesIn(bytes));
  RETURN_IF_ERROR(CheckSize(size, expected_candidates, "candidates"));
  return WordAt(bytes, kHeaderBytes);
}

}  // namespace flaim
