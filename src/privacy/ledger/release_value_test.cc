#include "privacy/ledger/release_value.h"

#include <rapidcheck.h>

#include <limits>

#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(ReleaseValue, ReadsBackTheCountsThatItWrote) {
  rc::check([](const std::vector<std::int64_t>& counts) {
    const std::vector<std::byte> bytes = EncodeCounts(counts);
    RC_ASSERT(bytes.size() == 10 + 8 * counts.size());
    RC_ASSERT(*DecodeCounts(bytes, counts.size()) == counts);
  });
  const std::vector<std::int64_t> extremes = {std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::int64_t>::max(), -1, 0};
  EXPECT_EQ(*DecodeCounts(EncodeCounts(extremes), 4), extremes);
}

TEST(ReleaseValue, WritesLittleEndianAfterVersionKindAndSize) {
  const std::vector<std::int64_t> counts = {-2, 0x0102};
  const std::vector<int> expected = {1,    1,    2,    0,    0,    0, 0, 0, 0, 0, 0xfe, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 2, 1, 0, 0, 0, 0,    0,    0};
  std::vector<int> written;
  for (const std::byte byte : EncodeCounts(counts)) written.push_back(std::to_integer<int>(byte));
  EXPECT_EQ(written, expected);
}

TEST(ReleaseValue, ReadsBackTheChoiceThatItWrote) {
  EXPECT_EQ(*DecodeChoice(EncodeChoice(4, 5), 5), 4U);
  EXPECT_EQ(*CandidatesIn(EncodeChoice(4, 5)), 5U);
  EXPECT_FALSE(DecodeChoice(EncodeChoice(4, 5), 6).ok());
}

TEST(ReleaseValue, RefusesAnotherNumberOfCounts) {
  const std::vector<std::int64_t> counts = {1, 2, 3};
  EXPECT_TRUE(absl::IsFailedPrecondition(DecodeCounts(EncodeCounts(counts), 2).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(DecodeCounts(EncodeCounts(counts), 4).status()));
}

TEST(ReleaseValue, RefusesWhatItDoesNotWrite) {
  const std::vector<std::int64_t> counts = {1, 2, 3};
  const std::vector<std::byte> good = EncodeCounts(counts);
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(DecodeCounts(std::span(good).first(size), 3).ok()) << size;
  }
  std::vector<std::byte> longer = good;
  longer.push_back({});
  EXPECT_FALSE(DecodeCounts(longer, 3).ok());
  for (const std::size_t header_byte : {0U, 1U, 2U, 9U}) {
    std::vector<std::byte> altered = good;
    altered[header_byte] ^= std::byte{0x80};
    EXPECT_FALSE(DecodeCounts(altered, 3).ok()) << header_byte;
  }
  EXPECT_FALSE(DecodeChoice(good, 3).ok()) << "counts are not a choice";
  std::vector<std::byte> beyond = EncodeChoice(4, 5);
  beyond[10] = std::byte{5};
  EXPECT_FALSE(DecodeChoice(beyond, 5).ok());
}

// The size field times 8 must not wrap around to the length that is there.
TEST(ReleaseValue, RefusesASizeThatOverflows) {
  std::vector<std::byte> bytes = EncodeCounts({});
  bytes[9] = std::byte{0x20};
  EXPECT_FALSE(CountsIn(bytes).ok());
}

}  // namespace
}  // namespace flaim
