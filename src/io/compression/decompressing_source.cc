#include "io/compression/decompressing_source.h"

#include "base/status.h"
#include "io/compression/gzip_decompressor.h"
#include "io/compression/xz_decompressor.h"
#include "io/compression/zstd_decompressor.h"

namespace flaim {
namespace {

constexpr std::size_t kCompressedBytes = std::size_t{1} << 18;

absl::Status NameTheFile(const std::string& name, std::string_view format, const absl::Status& status) {
  return absl::Status(status.code(), fmt::format("{}: the {} data cannot be decompressed: {}", name, format,
                                                 std::string_view(status.message().data(), status.message().size())));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Decompressor>> DecompressorFor(std::string_view first_bytes) {
  if (GzipDecompressor::Recognises(first_bytes)) return GzipDecompressor::Create();
  if (XzDecompressor::Recognises(first_bytes)) return XzDecompressor::Create();
  if (ZstdDecompressor::Recognises(first_bytes)) return ZstdDecompressor::Create();
  return nullptr;
}

DecompressingSource::DecompressingSource(std::unique_ptr<ByteSource> compressed,
                                         std::unique_ptr<Decompressor> decompressor)
    : compressed_(std::move(compressed)), decompressor_(std::move(decompressor)), buffer_(new char[kCompressedBytes]) {}

absl::StatusOr<std::size_t> DecompressingSource::Read(std::span<char> out) {
  if (out.empty()) return 0;
  std::span<char> rest = out;
  while (true) {
    if (pending_.empty() && !input_ended_) RETURN_IF_ERROR(Refill());
    const absl::StatusOr<bool> complete = decompressor_->Step(pending_, input_ended_, rest);
    if (!complete.ok()) return NameTheFile(name(), decompressor_->format(), complete.status());
    if (rest.size() < out.size()) return out.size() - rest.size();
    if (pending_.empty() && input_ended_) {
      if (*complete) return 0;
      return DataLoss("{}: the {} data ends too early; the file was cut short, so copy or download it again", name(),
                      decompressor_->format());
    }
  }
}

absl::Status DecompressingSource::Refill() {
  ASSIGN_OR_RETURN(const std::size_t count, compressed_->Read(std::span(buffer_.get(), kCompressedBytes)));
  pending_ = std::span<const char>(buffer_.get(), count);
  input_ended_ = count == 0;
  return absl::OkStatus();
}

}  // namespace flaim
