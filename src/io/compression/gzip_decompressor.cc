#include "io/compression/gzip_decompressor.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

constexpr int kGzipOnlyWindowBits = 16 + MAX_WBITS;

uInt Clipped(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Decompressor>> GzipDecompressor::Create() {
  std::unique_ptr<GzipDecompressor> decompressor(new GzipDecompressor());
  if (inflateInit2(&decompressor->stream_, kGzipOnlyWindowBits) != Z_OK) {
    return ResourceExhausted("no memory for the gzip decompressor");
  }
  return decompressor;
}

GzipDecompressor::~GzipDecompressor() { inflateEnd(&stream_); }

absl::StatusOr<bool> GzipDecompressor::Step(std::span<const char>& in, bool, std::span<char>& out) {
  if (between_members_) {
    while (!in.empty() && in.front() == '\0') in = in.subspan(1);
    if (in.empty()) return true;
    CHECK(inflateReset(&stream_) == Z_OK);
    between_members_ = false;
  }
  const uInt in_size = Clipped(in.size());
  const uInt out_size = Clipped(out.size());
  stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
  stream_.avail_in = in_size;
  stream_.next_out = reinterpret_cast<Bytef*>(out.data());
  stream_.avail_out = out_size;
  const int result = inflate(&stream_, Z_NO_FLUSH);
  in = in.subspan(in_size - stream_.avail_in);
  out = out.subspan(out_size - stream_.avail_out);
  if (result == Z_MEM_ERROR) return ResourceExhausted("out of memory");
  if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
    return DataLoss("it is damaged ({}); copy or download the file again",
                    stream_.msg != nullptr ? stream_.msg : "invalid data");
  }
  between_members_ = result == Z_STREAM_END;
  return between_members_;
}

}  // namespace flaim
