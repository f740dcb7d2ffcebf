#pragma once

#define ZLIB_CONST  // zlib then takes its input as const
#include <zlib.h>

#include <memory>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "io/compression/decompressing_source.h"

namespace flaim {

// RFC 1952 by zlib: members one after the other, zero bytes after the last (as gzip itself allows).
class GzipDecompressor final : public Decompressor {
 public:
  static bool Recognises(std::string_view first_bytes) { return first_bytes.starts_with("\x1f\x8b"); }
  static absl::StatusOr<std::unique_ptr<Decompressor>> Create();
  ~GzipDecompressor() override;

  absl::StatusOr<bool> Step(std::span<const char>& in, bool in_is_last, std::span<char>& out) override;
  std::string_view format() const override { return "gzip"; }

 private:
  GzipDecompressor() = default;

  z_stream stream_{};
  bool between_members_ = true;
};

}  // namespace flaim
