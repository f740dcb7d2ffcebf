#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "io/bytes.h"

namespace flaim {

// Bytes in hexadecimal digits, two for each, in lower case.
std::string ToHex(ByteView bytes);
inline std::string ToHex(std::span<const std::byte> bytes) { return ToHex(AsBytes(bytes)); }

// What ToHex wrote, and nothing else: a value has one spelling.
absl::StatusOr<Bytes> FromHex(std::string_view hex);

}  // namespace flaim
