#include "io/hex.h"

#include <cstddef>

#include "base/status.h"

namespace flaim {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::string ToHex(ByteView bytes) {
  std::string hex;
  for (const std::uint8_t byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 0xf];
  }
  return hex;
}

absl::StatusOr<Bytes> FromHex(std::string_view hex) {
  if (hex.size() % 2 != 0) return InvalidArgument("hexadecimal digits come in pairs");
  Bytes bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const std::size_t high = kDigits.find(hex[i]);
    const std::size_t low = kDigits.find(hex[i + 1]);
    if (high == kDigits.npos || low == kDigits.npos) return InvalidArgument("these are not hexadecimal digits");
    bytes.push_back(static_cast<std::uint8_t>(high << 4 | low));
  }
  return bytes;
}

}  // namespace flaim
