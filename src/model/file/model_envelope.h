#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"

namespace flaim {

inline constexpr std::uint32_t kModelFileVersion = 2;
inline constexpr std::size_t kMaxModelHeaderBytes = std::size_t{32} << 20;

// The outside of a model file (docs/MODEL_FILE.md): a text and a list of numbers, between a mark that says what the
// file is and a checksum that says that it is whole. Knows nothing about models. The checksum has no key: it finds
// damage, not a forger.
struct ModelEnvelope {
  std::uint32_t version = kModelFileVersion;  // of the format: this one, or an older one
  std::string header;
  std::vector<double> numbers;
};

// Writes the newest version, and the numbers block after block, as if they were one list; does not commit. Refuses a
// header of more than kMaxModelHeaderBytes.
absl::Status WriteEnvelope(std::string_view header, std::span<const std::span<const double>> numbers, ByteSink& sink);

// Reads to the end of the source. Refuses, in this order: another kind of file, a version that it does not know, a
// length above max_bytes, a file that ends early or late, a wrong checksum, flags and padding that are not zero. Takes
// memory only as bytes arrive, so a false length costs nothing.
absl::StatusOr<ModelEnvelope> ReadEnvelope(ByteSource& source, std::int64_t max_bytes);

}  // namespace flaim
