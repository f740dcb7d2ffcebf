#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "sodium.h"

namespace flaim::secagg {

// A key, a seed or a share of one: wiped when destroyed, moved from or assigned to; cannot be copied, printed or
// compared by accident. It owns its memory, so a copy that somebody makes of bytes() is theirs to wipe.
//
// Does not cover: swap and core dumps (thousands of keys live at once in a simulation, more than may be locked), and
// registers or stack slots of the libraries that compute with it.
template <std::size_t kSize>
class SecretBytes {
 public:
  static constexpr std::size_t kBytes = kSize;

  SecretBytes() = default;
  ~SecretBytes() { Wipe(); }
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;
  SecretBytes(SecretBytes&& other) noexcept : bytes_(other.bytes_) { other.Wipe(); }
  SecretBytes& operator=(SecretBytes&& other) noexcept {
    if (this != &other) {
      bytes_ = other.bytes_;
      other.Wipe();
    }
    return *this;
  }

  std::span<std::uint8_t, kSize> bytes() { return bytes_; }
  std::span<const std::uint8_t, kSize> bytes() const { return bytes_; }

  // In constant time.
  bool Equals(const SecretBytes& other) const { return sodium_memcmp(bytes_.data(), other.bytes_.data(), kSize) == 0; }

  // Where a second owner is really meant: its own wiped memory.
  SecretBytes Clone() const {
    SecretBytes copy;
    copy.bytes_ = bytes_;
    return copy;
  }

  void Wipe() { sodium_memzero(bytes_.data(), kSize); }

 private:
  std::array<std::uint8_t, kSize> bytes_{};
};

using Secret32 = SecretBytes<32>;

}  // namespace flaim::secagg
