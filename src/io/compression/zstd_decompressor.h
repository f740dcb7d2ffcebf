#pragma once

#include <zstd.h>

#include <memory>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "io/compression/decompressing_source.h"

namespace flaim {

// RFC 8878 by libzstd: frames and skippable frames one after the other. No dictionaries.
class ZstdDecompressor final : public Decompressor {
 public:
  static bool Recognises(std::string_view first_bytes);
  static absl::StatusOr<std::unique_ptr<Decompressor>> Create();
  ~ZstdDecompressor() override;

  absl::StatusOr<bool> Step(std::span<const char>& in, bool in_is_last, std::span<char>& out) override;
  std::string_view format() const override { return "zstd"; }

 private:
  explicit ZstdDecompressor(ZSTD_DStream* stream) : stream_(stream) {}

  ZSTD_DStream* stream_;
  bool between_frames_ = true;
};

}  // namespace flaim
