#pragma once

#include <lzma.h>

#include <memory>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "io/compression/decompressing_source.h"

namespace flaim {

// The .xz format by liblzma: streams one after the other, with their padding. Not the older .lzma format.
class XzDecompressor final : public Decompressor {
 public:
  static bool Recognises(std::string_view first_bytes);
  static absl::StatusOr<std::unique_ptr<Decompressor>> Create();
  ~XzDecompressor() override;

  absl::StatusOr<bool> Step(std::span<const char>& in, bool in_is_last, std::span<char>& out) override;
  std::string_view format() const override { return "xz"; }

 private:
  XzDecompressor() = default;

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool finished_ = false;
};

}  // namespace flaim
