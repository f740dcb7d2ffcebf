#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "io/bytes.h"

namespace flaim::secagg {

// The byte form of messages: little-endian integers of fixed width, arrays as they are, lists after their 32-bit
// length. One value has one form.

class WireWriter {
 public:
  void U8(std::uint8_t value) { bytes_.push_back(value); }
  void U32(std::uint32_t value) { Integer(value, 4); }
  void U64(std::uint64_t value) { Integer(value, 8); }
  void I64(std::int64_t value) { U64(static_cast<std::uint64_t>(value)); }
  void Raw(ByteView bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void Reserve(std::size_t bytes) { bytes_.reserve(bytes_.size() + bytes); }

  Bytes Take() { return std::move(bytes_); }

 private:
  void Integer(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }

  Bytes bytes_;
};

// Reads what WireWriter wrote. After the first thing that is not there, everything reads as zero and ok() is false, so
// a message is read to its end and judged once. A list's length is believed only if its elements can be there.
class WireReader {
 public:
  explicit WireReader(ByteView bytes) : rest_(bytes) {}

  std::uint8_t U8() { return static_cast<std::uint8_t>(Integer(1)); }
  std::uint32_t U32() { return static_cast<std::uint32_t>(Integer(4)); }
  std::uint64_t U64() { return Integer(8); }
  std::int64_t I64() { return static_cast<std::int64_t>(U64()); }
  void Raw(std::span<std::uint8_t> out);
  // How many elements of at least `element_bytes` follow. REQUIRES: element_bytes > 0.
  std::uint32_t Length(std::size_t element_bytes);
  ByteView Rest();

  void Refuse() { ok_ = false; }
  // Nothing was missing.
  bool ok() const { return ok_; }
  // Nothing was missing, and nothing is left.
  bool AtEnd() const { return ok_ && rest_.empty(); }

 private:
  std::uint64_t Integer(std::size_t bytes);
  bool Take(std::size_t bytes);

  ByteView rest_;
  bool ok_ = true;
};

}  // namespace flaim::secagg
