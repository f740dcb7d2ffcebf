#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "io/bytes.h"

namespace flaim {

// Bytes in hexadecimal digits, two for each, in lower case.
std::string ToHex(ByteView bytes);

// What ToHex wrote, and nothing else: a value has one spelling.
absl::StatusOr<Bytes> FromHex(std::string_view hex);

}  // namespace flaim
