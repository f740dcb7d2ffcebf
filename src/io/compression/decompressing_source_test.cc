#include "io/compression/decompressing_source.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <functional>

#include "base/check.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/chunked_source_testing.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Gzip(const std::string& text) {
  z_stream stream{};
  CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  CHECK(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const uint8_t*>(text.data()),
                                text.size(), reinterpret_cast<uint8_t*>(out.data()), &size, out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

std::string Zstd(const std::string& text) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

std::string RandomText(RandomSource& random, std::size_t size) {
  std::string text(size, ' ');
  for (char& byte : text) byte = static_cast<char>('a' + random.NextBelow(6));
  return text;
}

absl::StatusOr<std::string> Decompress(std::string bytes, std::vector<std::size_t> chunks = {std::size_t{1} << 20}) {
  auto source = DecompressIfNeeded(std::make_unique<ChunkedSource>("table.csv.z", std::move(bytes), std::move(chunks)));
  if (!source.ok()) return source.status();
  return ReadAll(**source, std::size_t{1} << 28);
}

struct Format {
  std::string name;
  std::size_t magic_bytes;
  std::function<std::string(const std::string&)> compress;
};

class EachFormat : public testing::TestWithParam<Format> {};

TEST_P(EachFormat, GivesTheTextBackHoweverItIsCut) {
  SeededRandomSource random(1, GetParam().name);
  for (const std::size_t size : {0, 1, 1000, 300000}) {
    const std::string text = RandomText(random, size);
    const std::string compressed = GetParam().compress(text);
    for (const std::size_t chunk : {1, 2, 5, 7, 4096}) EXPECT_EQ(*Decompress(compressed, {chunk, 3}), text) << size;
  }
}

TEST_P(EachFormat, ServesReadsOfAnySize) {
  SeededRandomSource random(2, GetParam().name);
  const std::string text = RandomText(random, 5000);
  auto source = DecompressIfNeeded(StringSource("t", GetParam().compress(text)));
  ASSERT_TRUE(source.ok());
  std::string served;
  while (true) {
    std::string out(1 + random.NextBelow(9), ' ');
    const std::size_t count = *(*source)->Read(std::span(out));
    if (count == 0) break;
    served.append(out, 0, count);
  }
  EXPECT_EQ(served, text);
}

TEST_P(EachFormat, ReadsConcatenatedStreamsAsOneText) {
  const auto& compress = GetParam().compress;
  const std::string bytes = compress("a,b\n1,") + compress("") + compress("2\n") + compress("3,4\n");
  for (const std::size_t chunk : {1, 3, 1000}) EXPECT_EQ(*Decompress(bytes, {chunk}), "a,b\n1,2\n3,4\n");
}

TEST_P(EachFormat, NoticesThatItIsCutShortAtEveryByte) {
  const std::string whole = GetParam().compress("one stream\n") + GetParam().compress("another stream\n");
  const std::size_t boundary = GetParam().compress("one stream\n").size();
  for (std::size_t size = GetParam().magic_bytes; size < whole.size(); ++size) {
    const absl::StatusOr<std::string> text = Decompress(whole.substr(0, size));
    if (size == boundary) {
      EXPECT_EQ(*text, "one stream\n");
      continue;
    }
    EXPECT_EQ(text.status().code(), absl::StatusCode::kDataLoss) << size;
    EXPECT_THAT(std::string(text.status().message()),
                AllOf(HasSubstr("table.csv.z"), HasSubstr(GetParam().name), HasSubstr("cut short")));
  }
}

TEST_P(EachFormat, NeverServesAWrongTextAfterAFlippedBit) {
  const std::string text = "39,State-gov,Bachelors\n50,Self-emp,Bachelors\n38,Private,HS-grad\n";
  const std::string compressed = GetParam().compress(text);
  std::size_t refused = 0;
  for (std::size_t bit = 8 * GetParam().magic_bytes; bit < 8 * compressed.size(); ++bit) {
    std::string damaged = compressed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const absl::StatusOr<std::string> result = Decompress(damaged);
    if (result.ok()) {
      EXPECT_EQ(*result, text) << bit;
    } else {
      ++refused;
      EXPECT_THAT(std::string(result.status().message()), HasSubstr("table.csv.z")) << bit;
    }
  }
  EXPECT_GT(refused, 4 * compressed.size());
}

TEST_P(EachFormat, RefusesOtherBytesAfterTheStream) {
  const absl::Status status = Decompress(GetParam().compress("a\n") + "no compressed data at all").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("table.csv.z"), HasSubstr("download")));
}

TEST_P(EachFormat, PassesOnTheErrorOfTheSourceBelow) {
  class FailingSource final : public ByteSource {
   public:
    explicit FailingSource(std::string first) : first_(std::move(first)) {}
    absl::StatusOr<std::size_t> Read(std::span<char> out) override {
      if (first_.empty()) return absl::UnavailableError("the disk is gone");
      const std::size_t count = first_.copy(out.data(), out.size());
      first_.erase(0, count);
      return count;
    }
    const std::string& name() const override { return name_; }

   private:
    std::string first_;
    std::string name_ = "failing";
  };
  auto source = DecompressIfNeeded(std::make_unique<FailingSource>(GetParam().compress("abc").substr(0, 9)));
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(ReadAll(**source, 100).status(), absl::UnavailableError("the disk is gone"));
}

INSTANTIATE_TEST_SUITE_P(Of, EachFormat,
                         testing::Values(Format{"gzip", 2, Gzip}, Format{"xz", 6, Xz}, Format{"zstd", 4, Zstd}),
                         [](const auto& format) { return format.param.name; });

TEST(DecompressIfNeeded, LeavesPlainTextAlone) {
  for (const std::string text : {"", "a", "age,sex\n39,M\n",
                                 "\xef\xbb\xbf"
                                 "a,b\n"})
    EXPECT_EQ(*Decompress(text, {1}), text);
}

TEST(GzipDecompressor, AllowsZeroBytesAtTheEnd) { EXPECT_EQ(*Decompress(Gzip("a\n") + std::string(512, '\0')), "a\n"); }

TEST(XzDecompressor, AllowsPaddingBetweenStreams) {
  EXPECT_EQ(*Decompress(Xz("a\n") + std::string(8, '\0') + Xz("b\n") + std::string(4, '\0')), "a\nb\n");
}

TEST(XzDecompressor, RefusesAFileThatNeedsTooMuchMemory) {
  lzma_stream_flags flags{};
  flags.check = LZMA_CHECK_CRC32;
  std::string bytes(LZMA_STREAM_HEADER_SIZE, '\0');
  ASSERT_EQ(lzma_stream_header_encode(&flags, reinterpret_cast<uint8_t*>(bytes.data())), LZMA_OK);
  lzma_options_lzma options{};
  ASSERT_FALSE(lzma_lzma_preset(&options, 6));
  options.dict_size = 3u << 29;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  lzma_block block{};
  block.check = LZMA_CHECK_CRC32;
  block.filters = filters;
  block.compressed_size = LZMA_VLI_UNKNOWN;
  block.uncompressed_size = LZMA_VLI_UNKNOWN;
  ASSERT_EQ(lzma_block_header_size(&block), LZMA_OK);
  std::string header(block.header_size, '\0');
  ASSERT_EQ(lzma_block_header_encode(&block, reinterpret_cast<uint8_t*>(header.data())), LZMA_OK);
  const absl::Status status = Decompress(bytes + header + std::string(64, '\0')).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("table.csv.z"), HasSubstr("1024 MiB")));
}

TEST(ZstdDecompressor, RefusesAWindowThatNeedsTooMuchMemory) {
  constexpr char kWindowOfTwoGib = static_cast<char>((31 - 10) << 3);
  const std::string frame = std::string("\x28\xb5\x2f\xfd\0", 5) + kWindowOfTwoGib + std::string(16, '\1');
  const absl::Status status = Decompress(frame).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("table.csv.z"), HasSubstr("1024 MiB")));
}

TEST(ZstdDecompressor, SkipsSkippableFramesAlsoAtTheFront) {
  const std::string skippable("\x50\x2a\x4d\x18\x03\0\0\0xyz", 11);
  EXPECT_EQ(*Decompress(skippable + Zstd("a\n") + skippable + Zstd("b\n")), "a\nb\n");
}

}  // namespace
}  // namespace flaim
