#pragma once

#include <cstdint>
#include <span>

#include "io/bytes.h"
#include "secagg/crypto/secret_bytes.h"

namespace flaim::secagg {

// HKDF-SHA-256 (RFC 5869): a uniform key from an agreed secret, bound to what it is for. `salt` is what the session
// agreed on, `purpose` says who uses the key for what. REQUIRES: secret not empty; purpose at
// most 1024 bytes (OpenSSL's limit); 1 to 255 * 32 bytes of key.
void DeriveKey(ByteView secret, ByteView salt, ByteView purpose, std::span<std::uint8_t> key);

Secret32 DeriveKey32(const Secret32& secret, ByteView salt, ByteView purpose);

}  // namespace flaim::secagg
