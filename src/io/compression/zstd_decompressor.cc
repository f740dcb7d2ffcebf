#include "io/compression/zstd_decompressor.h"

#include <zstd_errors.h>

#include <bit>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

constexpr int kMaxWindowLog = static_cast<int>(std::bit_width(kMaxDecompressionBytes)) - 1;

absl::Status ErrorOf(std::size_t result) {
  switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_frameParameter_windowTooLarge:
      return ResourceExhausted("its window is larger than {} MiB; compress the file again with --long=27 or less",
                               kMaxDecompressionBytes >> 20);
    case ZSTD_error_memory_allocation:
      return ResourceExhausted("out of memory");
    case ZSTD_error_dictionary_wrong:
      return InvalidArgument("it needs a dictionary; compress the file again without one");
    default:
      return DataLoss("it is damaged ({}); copy or download the file again", ZSTD_getErrorName(result));
  }
}

}  // namespace

bool ZstdDecompressor::Recognises(std::string_view first_bytes) {
  if (first_bytes.starts_with("\x28\xb5\x2f\xfd")) return true;
  const bool skippable = first_bytes.size() >= 4 && (first_bytes[0] & 0xf0) == 0x50;
  return skippable && first_bytes.substr(1).starts_with("\x2a\x4d\x18");
}

absl::StatusOr<std::unique_ptr<Decompressor>> ZstdDecompressor::Create() {
  ZSTD_DStream* stream = ZSTD_createDStream();
  if (stream == nullptr) return ResourceExhausted("no memory for the zstd decompressor");
  CHECK(!ZSTD_isError(ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, kMaxWindowLog)));
  return std::unique_ptr<Decompressor>(new ZstdDecompressor(stream));
}

ZstdDecompressor::~ZstdDecompressor() { ZSTD_freeDStream(stream_); }

absl::StatusOr<bool> ZstdDecompressor::Step(std::span<const char>& in, bool, std::span<char>& out) {
  if (between_frames_ && in.empty()) return true;
  ZSTD_inBuffer input{in.data(), in.size(), 0};
  ZSTD_outBuffer output{out.data(), out.size(), 0};
  const std::size_t result = ZSTD_decompressStream(stream_, &output, &input);
  in = in.subspan(input.pos);
  out = out.subspan(output.pos);
  if (ZSTD_isError(result)) return ErrorOf(result);
  between_frames_ = result == 0;
  return between_frames_;
}

}  // namespace flaim
