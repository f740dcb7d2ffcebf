#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "io/digest.h"

namespace flaim::runtime {

// Digests and session numbers as protobuf holds them.
inline std::string BytesOf(const Digest& digest) { return {digest.begin(), digest.end()}; }

// Nothing if there are too many bytes, or too few.
inline std::optional<Digest> DigestFrom(const std::string& bytes) {
  Digest digest{};
  if (bytes.size() != digest.size()) return std::nullopt;
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

}  // namespace flaim::runtime
