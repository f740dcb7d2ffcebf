#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "io/byte_source.h"

namespace flaim {

// A file that asks for more memory than this to be decompressed is refused: nobody needs it, an attacker does.
inline constexpr std::size_t kMaxDecompressionBytes = std::size_t{1} << 30;

// One compression format as a state machine over caller-owned bytes. Goes on to the next stream where one ends, so
// concatenated files are one text. Its errors do not know the file's name: DecompressingSource adds it.
class Decompressor {
 public:
  virtual ~Decompressor() = default;

  // Consumes from the front of `in` and fills the front of `out`, moving both forward, until one of them is empty or
  // a stream ends. `in_is_last` says that nothing follows `in`. True when the input may end here: every stream that
  // was begun is complete.
  virtual absl::StatusOr<bool> Step(std::span<const char>& in, bool in_is_last, std::span<char>& out) = 0;

  // "gzip", "xz" or "zstd".
  virtual std::string_view format() const = 0;
};

// The decompressor for a file that starts with these bytes, or nullptr for one that is not compressed. Six bytes
// decide.
absl::StatusOr<std::unique_ptr<Decompressor>> DecompressorFor(std::string_view first_bytes);
inline constexpr std::size_t kMagicBytes = 6;

// Reads compressed bytes from another source and serves the plain ones. Constant memory apart from the format's window.
// A stream that is cut short or damaged (each format carries a checksum) is a DataLoss error with the file's name.
class DecompressingSource final : public ByteSource {
 public:
  DecompressingSource(std::unique_ptr<ByteSource> compressed, std::unique_ptr<Decompressor> decompressor);

  absl::StatusOr<std::size_t> Read(std::span<char> out) override;
  const std::string& name() const override { return compressed_->name(); }

 private:
  absl::Status Refill();

  std::unique_ptr<ByteSource> compressed_;
  std::unique_ptr<Decompressor> decompressor_;
  std::unique_ptr<char[]> buffer_;
  std::span<const char> pending_;
  bool input_ended_ = false;
};

}  // namespace flaim
