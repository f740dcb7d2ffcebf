#include "io/digest.h"

namespace flaim {
namespace {

std::array<std::uint8_t, 8> LittleEndian(std::uint64_t number) {
  std::array<std::uint8_t, 8> bytes;
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(number & 0xff);
    number >>= 8;
  }
  return bytes;
}

}  // namespace

Transcript::Transcript(std::string_view label) {
  InitialiseSodium();
  crypto_hash_sha256_init(&state_);
  Add(AsBytes(label));
}

Transcript& Transcript::Add(ByteView field) {
  const std::array<std::uint8_t, 8> length = LittleEndian(field.size());
  crypto_hash_sha256_update(&state_, length.data(), length.size());
  crypto_hash_sha256_update(&state_, field.data(), field.size());
  return *this;
}

Transcript& Transcript::Add(std::uint64_t number) { return Add(LittleEndian(number)); }

Digest Transcript::Finish() {
  Digest digest;
  crypto_hash_sha256_final(&state_, digest.data());
  return digest;
}

Digest Sha256(ByteView message) {
  InitialiseSodium();
  Digest digest;
  crypto_hash_sha256(digest.data(), message.data(), message.size());
  return digest;
}

}  // namespace flaim
