#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "io/hex.h"
#include "secagg/crypto/secret_bytes.h"

// For tests only: published vectors are written as they are printed, in hexadecimal digits; blanks are skipped.

namespace flaim::secagg {

inline Bytes FromHex(std::string_view text) {
  std::string digits;
  for (const char character : text) {
    if (character != ' ') digits += character;
  }
  CHECK(digits.size() % 2 == 0, "an odd number of hexadecimal digits");
  Bytes bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

template <std::size_t kSize>
std::array<std::uint8_t, kSize> ArrayFromHex(std::string_view text) {
  const Bytes bytes = FromHex(text);
  CHECK(bytes.size() == kSize, "{} bytes, not {}", bytes.size(), kSize);
  std::array<std::uint8_t, kSize> result;
  std::copy(bytes.begin(), bytes.end(), result.begin());
  return result;
}

// Shorter texts are filled up with zeros.
inline Secret32 SecretFromHex(std::string_view text) {
  const Bytes bytes = FromHex(text);
  CHECK(bytes.size() <= Secret32::kBytes, "{} bytes in a secret", bytes.size());
  Secret32 secret;
  std::copy(bytes.begin(), bytes.end(), secret.bytes().begin());
  return secret;
}

}  // namespace flaim::secagg
