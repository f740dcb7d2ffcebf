#include "secagg/messages/wire.h"

#include <algorithm>

namespace flaim::secagg {

bool WireReader::Take(std::size_t bytes) {
  if (!ok_ || rest_.size() < bytes) ok_ = false;
  return ok_;
}

std::uint64_t WireReader::Integer(std::size_t bytes) {
  if (!Take(bytes)) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{rest_[i]} << (8 * i);
  rest_ = rest_.subspan(bytes);
  return value;
}

void WireReader::Raw(std::span<std::uint8_t> out) {
  if (!Take(out.size())) {
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    return;
  }
  std::copy_n(rest_.begin(), out.size(), out.begin());
  rest_ = rest_.subspan(out.size());
}

std::uint32_t WireReader::Length(std::size_t element_bytes) {
  const std::uint32_t length = U32();
  return Take(length * element_bytes) ? length : 0;
}

ByteView WireReader::Rest() {
  const ByteView rest = ok_ ? rest_ : ByteView();
  rest_ = {};
  return rest;
}

}  // namespace flaim::secagg
