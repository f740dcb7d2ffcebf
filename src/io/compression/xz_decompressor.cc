#include "io/compression/xz_decompressor.h"

#include "base/status.h"

namespace flaim {
namespace {

absl::Status ErrorOf(lzma_ret result) {
  switch (result) {
    case LZMA_MEMLIMIT_ERROR:
      return ResourceExhausted("it needs more than {} MiB of memory; compress the file again with xz -9 or less",
                               kMaxDecompressionBytes >> 20);
    case LZMA_MEM_ERROR:
      return ResourceExhausted("out of memory");
    case LZMA_OPTIONS_ERROR:
      return InvalidArgument("it uses options that this version of liblzma does not know; compress the file again");
    case LZMA_FORMAT_ERROR:
      return DataLoss("what follows the first stream is not xz data; copy or download the file again");
    default:
      return DataLoss("it is damaged; copy or download the file again");
  }
}

}  // namespace

bool XzDecompressor::Recognises(std::string_view first_bytes) {
  return first_bytes.starts_with(
      std::string_view("\xfd"
                       "7zXZ\0",
                       6));
}

absl::StatusOr<std::unique_ptr<Decompressor>> XzDecompressor::Create() {
  std::unique_ptr<XzDecompressor> decompressor(new XzDecompressor());
  const lzma_ret result = lzma_stream_decoder(&decompressor->stream_, kMaxDecompressionBytes, LZMA_CONCATENATED);
  if (result != LZMA_OK) return ErrorOf(result);
  return decompressor;
}

XzDecompressor::~XzDecompressor() { lzma_end(&stream_); }

absl::StatusOr<bool> XzDecompressor::Step(std::span<const char>& in, bool in_is_last, std::span<char>& out) {
  if (finished_) return true;
  stream_.next_in = reinterpret_cast<const uint8_t*>(in.data());
  stream_.avail_in = in.size();
  stream_.next_out = reinterpret_cast<uint8_t*>(out.data());
  stream_.avail_out = out.size();
  const lzma_ret result = lzma_code(&stream_, in_is_last ? LZMA_FINISH : LZMA_RUN);
  in = in.last(stream_.avail_in);
  out = out.last(stream_.avail_out);
  if (result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR) return ErrorOf(result);
  finished_ = result == LZMA_STREAM_END;
  return finished_;
}

}  // namespace flaim
