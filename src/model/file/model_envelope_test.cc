#include "model/file/model_envelope.h"

#include <sodium.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::int64_t kMaxBytes = 1 << 20;
constexpr std::size_t kVersion = 8;
constexpr std::size_t kFlags = 12;
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kNumbers = 24;
constexpr std::size_t kHeader = 32;

std::string Sealed(std::string_view header, const std::vector<double>& numbers) {
  std::string bytes;
  const auto sink = StringSink("test", &bytes);
  const std::span<const double> block = numbers;
  EXPECT_TRUE(WriteEnvelope(header, std::span(&block, 1), *sink).ok() && sink->Commit().ok());
  return bytes;
}

absl::StatusOr<ModelEnvelope> Open(std::string bytes, std::int64_t max_bytes = kMaxBytes) {
  return ReadEnvelope(*StringSource("test", std::move(bytes)), max_bytes);
}

std::string Message(const absl::StatusOr<ModelEnvelope>& envelope) { return std::string(envelope.status().message()); }

void SetWord(std::string& bytes, std::size_t position, std::uint64_t word, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[position + i] = static_cast<char>(word >> (8 * i));
}

std::string ChecksumOf(std::string_view bytes) {
  std::string checksum(32, '\0');
  EXPECT_EQ(crypto_generichash(reinterpret_cast<unsigned char*>(checksum.data()), checksum.size(),
                               reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr, 0),
            0);
  return checksum;
}

// With the checksum that belongs to the bytes before it.
std::string Resealed(const std::string& bytes) {
  const std::string body = bytes.substr(0, bytes.size() - 32);
  return body + ChecksumOf(body);
}

TEST(ModelEnvelope, LiesInTheFileAsDocumented) {
  const std::string body(
      "FLAIM\xf1\r\n"
      "\x02\0\0\0"
      "\0\0\0\0"
      "\x02\0\0\0\0\0\0\0"
      "\x02\0\0\0\0\0\0\0"
      "{}\0\0\0\0\0\0"
      "\0\0\0\0\0\0\xf8\x3f"
      "\0\0\0\0\0\0\xf0\xff",
      56);
  const double minus_infinity = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(Sealed("{}", {1.5, minus_infinity}), body + ChecksumOf(body));
}

bool SameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

TEST(ModelEnvelope, KeepsEveryHeaderAndEveryNumber) {
  SeededRandomSource random(1, "envelope");
  for (const std::size_t length : {0u, 1u, 7u, 8u, 9u, 100u, 70000u}) {
    for (const std::size_t count : {0u, 1u, 8191u, 8192u, 8193u, 40000u}) {
      std::string header(length, '\0');
      random.Fill(std::as_writable_bytes(std::span(header)));
      std::vector<double> numbers(count);
      random.Fill(std::as_writable_bytes(std::span(numbers)));
      const auto read = Open(Sealed(header, numbers));
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(read->header, header);
      EXPECT_TRUE(std::equal(read->numbers.begin(), read->numbers.end(), numbers.begin(), numbers.end(), SameBits));
    }
  }
}

TEST(ModelEnvelope, DoesNotDependOnHowTheNumbersAreCutIntoBlocks) {
  const std::vector<double> numbers = {1, 2, 3};
  const std::span<const double> all = numbers;
  const std::vector<std::span<const double>> blocks = {all.first(1), {}, all.subspan(1)};
  std::string bytes;
  const auto sink = StringSink("test", &bytes);
  ASSERT_TRUE(WriteEnvelope("h", blocks, *sink).ok() && sink->Commit().ok());
  EXPECT_EQ(bytes, Sealed("h", numbers));
}

TEST(ModelEnvelope, TellsOtherFilesFromDamagedOnes) {
  EXPECT_THAT(Message(Open("")), HasSubstr("is not a model file"));
  EXPECT_THAT(Message(Open("age,sex\n1,2\n")), HasSubstr("is not a model file"));
  EXPECT_THAT(Message(Open(std::string(100000, 'x'))), HasSubstr("is not a model file"));
  EXPECT_THAT(Message(Open("FLAIM\n" + Sealed("{}", {}).substr(7))), HasSubstr("is not a model file"));
  const std::string good = Sealed("{}", {1});
  for (std::size_t length = 1; length < good.size(); ++length) {
    const auto cut = Open(good.substr(0, length));
    EXPECT_EQ(cut.status().code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(Message(cut), HasSubstr("is cut off"));
  }
  std::string damaged = good;
  damaged[kHeader] ^= 1;
  EXPECT_EQ(Open(damaged).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(Message(Open(damaged)), AllOf(HasSubstr("damaged"), HasSubstr("copy it again")));
}

TEST(ModelEnvelope, OfAFutureVersionAsksForAnUpgrade) {
  for (const std::uint64_t version : {std::uint64_t{kModelFileVersion + 1}, std::uint64_t{0xffffffff}}) {
    std::string bytes = Sealed("{}", {});
    SetWord(bytes, kVersion, version, 4);
    for (const std::string& future : {bytes, Resealed(bytes), bytes.substr(0, 40)}) {
      EXPECT_EQ(Open(future).status().code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_THAT(Message(Open(future)), AllOf(HasSubstr("version"), HasSubstr("upgrade flaim")));
    }
  }
  std::string bytes = Sealed("{}", {});
  SetWord(bytes, kVersion, 0, 4);
  EXPECT_THAT(Message(Open(Resealed(bytes))), HasSubstr("no format version"));
}

TEST(ModelEnvelope, OfEveryOlderVersionIsOpenedAndSaysWhichItIs) {
  for (std::uint32_t version = 1; version <= kModelFileVersion; ++version) {
    std::string bytes = Sealed("{}", {});
    SetWord(bytes, kVersion, version, 4);
    const auto envelope = Open(Resealed(bytes));
    ASSERT_TRUE(envelope.ok()) << envelope.status();
    EXPECT_EQ(envelope->version, version);
  }
}

TEST(ModelEnvelope, RefusesFlagsAndPaddingThatItDoesNotKnow) {
  std::string flags = Sealed("{}", {});
  SetWord(flags, kFlags, 1, 4);
  EXPECT_THAT(Message(Open(flags)), HasSubstr("damaged"));
  EXPECT_THAT(Message(Open(Resealed(flags))), AllOf(HasSubstr("flags 0x1"), HasSubstr("upgrade flaim")));
  for (std::size_t i = 2; i < 8; ++i) {
    std::string padding = Sealed("{}", {});
    padding[kHeader + i] = ' ';
    EXPECT_THAT(Message(Open(Resealed(padding))), HasSubstr("padding"));
  }
}

TEST(ModelEnvelope, RefusesLengthsThatAreNotThoseOfTheFile) {
  const std::string good = Sealed("{\"a\":1}", {1, 2});
  for (const std::uint64_t length : {0u, 6u, 9u, 16u, 24u, 1000u}) {
    std::string bytes = good;
    SetWord(bytes, kHeaderBytes, length, 8);
    EXPECT_FALSE(Open(Resealed(bytes)).ok()) << length;
  }
  for (const std::uint64_t count : {0u, 1u, 3u, 100u}) {
    std::string bytes = good;
    SetWord(bytes, kNumbers, count, 8);
    EXPECT_FALSE(Open(Resealed(bytes)).ok()) << count;
  }
}

TEST(ModelEnvelope, RefusesAbsurdLengthsWithoutTakingMemory) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
  for (const std::uint64_t length : {kMax, kMax - 7, kMax - 63, kMax / 2, std::uint64_t{kMaxModelHeaderBytes + 1}}) {
    std::string bytes = Sealed("{}", {});
    SetWord(bytes, kHeaderBytes, length, 8);
    EXPECT_THAT(Message(Open(bytes, kNoLimit)), HasSubstr("claims a header"));
  }
  for (const std::uint64_t count : {kMax, kMax / 8, kMax / 8 - 8, kMax / 16}) {
    std::string bytes = Sealed("{}", {});
    SetWord(bytes, kNumbers, count, 8);
    EXPECT_FALSE(Open(bytes, kNoLimit).ok());
    EXPECT_EQ(Open(bytes).status().code(), absl::StatusCode::kResourceExhausted);
  }
}

TEST(ModelEnvelope, IsReadUpToExactlyTheLimit) {
  const std::string bytes = Sealed("{}", {1, 2, 3});
  const auto length = static_cast<std::int64_t>(bytes.size());
  EXPECT_TRUE(Open(bytes, length).ok());
  for (const std::int64_t limit : {length - 1, length - 8, std::int64_t{64}, std::int64_t{0}, std::int64_t{-1}}) {
    EXPECT_EQ(Open(bytes, limit).status().code(), absl::StatusCode::kResourceExhausted);
  }
}

TEST(ModelEnvelope, IsNotWrittenWithAHeaderThatIsTooLong) {
  std::string bytes;
  const auto sink = StringSink("test", &bytes);
  EXPECT_THAT(std::string(WriteEnvelope(std::string(kMaxModelHeaderBytes + 1, ' '), {}, *sink).message()),
              HasSubstr("would have a header"));
}

}  // namespace
}  // namespace flaim
